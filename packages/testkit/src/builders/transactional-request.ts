import type { transactionalRequestSchema } from '@rubrica/contracts/rest/transactional';
import type { z } from 'zod';
import { makeApplicant } from './applicant.ts';
import { makeReference } from './identity.ts';

export type TransactionalBody = z.input<typeof transactionalRequestSchema>;

/**
 * Creates a body of `POST /collector/transactional/request` that is accepted. In the sandbox it becomes a certificate
 * whose password the service generates. An override of `undefined` omits the field.
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
