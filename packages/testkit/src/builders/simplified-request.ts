import type { simplifiedRequestSchema } from '@rubrica/contracts/rest/simplified';
import type { z } from 'zod';
import { makeCedula, makeReference } from './identity.ts';

export type SimplifiedBody = z.input<typeof simplifiedRequestSchema>;

/**
 * Creates a body of `POST /collector/simplified/request` that is accepted and, in the sandbox, waits for its
 * applicant's claim. An override of `undefined` omits the field.
 */
export function makeSimplifiedRequest(
  overrides: { [K in keyof SimplifiedBody]?: SimplifiedBody[K] | undefined } = {},
): SimplifiedBody {
  const body: SimplifiedBody = {
    identificationNumber: makeCedula(),
    fingerCode: 'V4333V2222',
    emailAddress: 'maria.nunez@example.com',
    cellphoneNumber: '+593991234567',
    period: 'ONE_YEAR',
    referenceTransaction: makeReference(),
  };
  return { ...body, ...overrides } as SimplifiedBody;
}
