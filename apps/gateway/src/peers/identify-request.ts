import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import { AppError } from '@rubrica/process/errors';
import { uuidv7 } from '@rubrica/process/time';
import type { PartnerCaller } from '@rubrica/process/trpc';
import type { z } from 'zod';
import type { Peers } from './peers.ts';

export interface IdentifiedRequestId {
  readonly requestId: string;
  /**
   * False for an unknown id that no request will ever have. Such a call gets every fault of its body, otherwise a 404.
   */
  readonly isKnown: boolean;
}

/** Finds the id of a request that may be named by reference alone, because a seal for a request is bound to its id. */
export async function identifyRequest(
  { intake }: { readonly intake: Pick<Peers['intake'], 'requests.identify'> },
  named: z.output<typeof requestsContract.requestIdentifier>,
  options: { readonly for: PartnerCaller },
): Promise<IdentifiedRequestId> {
  if (named.requestId !== undefined) return { requestId: named.requestId, isKnown: true };
  try {
    const { requestId } = await intake['requests.identify'](named, options);
    return { requestId, isKnown: true };
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'REQUEST_NOT_FOUND')) throw error;
    return { requestId: uuidv7(), isKnown: false };
  }
}
