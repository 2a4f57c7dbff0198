import type { identityValidationSchema, signatureRequestSchema } from '@rubrica/contracts/rest/api-flow';
import type { z } from 'zod';
import { makeApplicant } from './applicant.ts';
import { makePng } from './files.ts';
import { makeReference } from './identity.ts';

export type SignatureBody = z.input<typeof signatureRequestSchema>;
export type IdentityBody = z.input<typeof identityValidationSchema>;

/**
 * Creates a body of `POST /signature/api/request` that is accepted if `termsAndConditionsId` is the active record. An
 * override of `undefined` omits the field.
 */
export function makeSignatureRequest(
  termsAndConditionsId: string,
  overrides: { [K in keyof SignatureBody]?: SignatureBody[K] | undefined } = {},
): SignatureBody {
  const body: SignatureBody = {
    termsAndConditionsId,
    ...makeApplicant(),
    period: 'ONE_YEAR',
    referenceTransaction: makeReference(),
  };
  return { ...body, ...overrides } as SignatureBody;
}

/** Creates a body of `POST /signature/api/identity-validation` with both sides of a card and a selfie. */
export function makeIdentityValidation(
  signatureRequestId: string,
  overrides: { [K in keyof IdentityBody]?: IdentityBody[K] | undefined } = {},
): IdentityBody {
  const picture = makePng().toString('base64');
  const images = {
    identificationFront: picture,
    identificationBack: picture,
    identificationSelfie: picture,
  };
  return { signatureRequestId, ...images, ...overrides } as IdentityBody;
}
