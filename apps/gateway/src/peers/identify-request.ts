import type * as intakeContract from '@rubrica/contracts/services/schemas/intake';
import type { PartnerCaller } from '@rubrica/process';
import type { z } from 'zod';
import type { Peers } from './peers.ts';

/**
 * The id of a request that may be named by reference alone: what is sealed for a request is bound to its id.
 * @throws AppError REQUEST_NOT_FOUND
 */
export async function identifyRequest(
  { intake }: { readonly intake: Pick<Peers['intake'], 'requests.identify'> },
  named: z.output<typeof intakeContract.requestIdentifier>,
  options: { readonly for: PartnerCaller },
): Promise<string> {
  if (named.requestId !== undefined) return named.requestId;
  return (await intake['requests.identify'](named, options)).requestId;
}
