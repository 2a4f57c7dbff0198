import type { LinkedPartnerRequest } from '@rubrica/contracts/rest/linked-partner';
import { makeApplicant } from './applicant.ts';
import { makePng } from './files.ts';
import { makeReference, makeRuc } from './identity.ts';

/** Body as a partner writes it: evidence in base64. */
export type LinkedPartnerBody = Omit<LinkedPartnerRequest, 'evidences'> & {
  evidences: Array<{ evidenceFile?: string; evidenceType?: string; validatorUrl?: string }>;
};

/**
 * Creates a body of `POST /collector/linked-partner/request` that is accepted and, in the sandbox, becomes a
 * certificate. Cédula and reference are new each time; an override of `undefined` omits the field.
 */
export function makeLinkedPartnerRequest(
  overrides: { [K in keyof LinkedPartnerBody]?: LinkedPartnerBody[K] | undefined } = {},
): LinkedPartnerBody {
  const body: LinkedPartnerBody = {
    ...makeApplicant(),
    secondEmail: 'mjnunez@example.org',
    referenceTransaction: makeReference(),
    period: 'FOUR_YEARS',
    certificateType: 'TRADITIONAL_SIGNATURE',
    evidences: [makeEvidence()],
    password: 'Clave larga 1.~',
    callbackUrl: 'http://127.0.0.1:9/webhooks',
  };
  return { ...body, ...overrides } as LinkedPartnerBody;
}

/** Creates the fields of a company's legal representative. */
export function makeCompanyFields() {
  return {
    applicationType: 'LEGAL_REPRESENTATIVE',
    companyRuc: makeRuc(),
    positionCompany: 'Gerente General',
    companySocialReason: 'Comercial Ñandú S.A.',
    expirationDateAppointment: '2045-12-31',
  } as const;
}

/** Creates one evidence item with a PNG of about `sizeBytes` bytes before base64. */
export function makeEvidence(sizeBytes = 1_000): { evidenceFile: string; validatorUrl: string } {
  return {
    evidenceFile: makePng(sizeBytes).toString('base64'),
    validatorUrl: 'https://partner.example/validations/1',
  };
}
