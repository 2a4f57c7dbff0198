import type { transactionalRequestSchema } from '@rubrica/contracts';
import type { z } from 'zod';
import { makeCedula, makeReference } from './identity.ts';

export type TransactionalBody = z.input<typeof transactionalRequestSchema>;

/**
 * Body of `POST /collector/transactional/request` that is accepted and, in the sandbox, becomes a certificate whose
 * password the service makes. An override of `undefined` leaves the field out.
 */
export function makeTransactionalRequest(
  overrides: { [K in keyof TransactionalBody]?: TransactionalBody[K] | undefined } = {},
): TransactionalBody {
  const body: TransactionalBody = {
    identificationNumber: makeCedula(),
    applicantName: 'María José',
    applicantLastName: 'Ñúñez',
    applicantSecondLastName: 'Pazmiño',
    fingerCode: 'V4333V2222',
    email: 'maria.nunez@example.com',
    cellphoneNumber: '+593991234567',
    city: 'Quito',
    address: 'Av. Amazonas N34-451 y Av. Atahualpa',
    documentType: 'CI',
    applicationType: 'NATURAL_PERSON',
    referenceTransaction: makeReference(),
  };
  return { ...body, ...overrides } as TransactionalBody;
}
