import type { transactionalRequestSchema } from '@rubrica/contracts/rest/transactional';
import type { z } from 'zod';
import { makeApplicant } from './applicant.ts';
import { makeReference } from './identity.ts';

export type TransactionalBody = z.input<typeof transactionalRequestSchema>;

/**
 * Body of `POST /collector/transactional/request` that is accepted and, in the sandbox, becomes a certificate whose
 * password the service makes. An override of `undefined` leaves the field out.
 */
export function makeTransactionalRequest(
  overrides: { [K in keyof TransactionalBody]?: TransactionalBody[K] | undefined } = {},
): TransactionalBody {
  const body: TransactionalBody = {
    ...makeApplicant(),
    referenceTransaction: makeReference(),
  };
  return { ...body, ...overrides } as TransactionalBody;
}
