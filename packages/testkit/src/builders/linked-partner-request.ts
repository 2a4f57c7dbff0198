import type { LinkedPartnerRequest } from '@rubrica/contracts';
import { makePng } from './files.ts';
import { makeCedula, makeReference, makeRuc } from './identity.ts';

/** As a partner writes it: evidence in base64. */
export type LinkedPartnerBody = Omit<LinkedPartnerRequest, 'evidences'> & {
  evidences: Array<{ evidenceFile?: string; evidenceType?: string; validatorUrl?: string }>;
};

/**
 * Body of `POST /collector/linked-partner/request` that is accepted and, in the sandbox, becomes a certificate.
 * A fresh cédula and reference each time; an override of `undefined` leaves the field out.
 */
export function makeLinkedPartnerRequest(
  overrides: { [K in keyof LinkedPartnerBody]?: LinkedPartnerBody[K] | undefined } = {},
): LinkedPartnerBody {
  const body: LinkedPartnerBody = {
    identificationNumber: makeCedula(),
    applicantName: 'María José',
    applicantLastName: 'Ñúñez',
    applicantSecondLastName: 'Pazmiño',
    fingerCode: 'V4333V2222',
    email: 'maria.nunez@example.com',
    secondEmail: 'mjnunez@example.org',
    cellphoneNumber: '+593991234567',
    city: 'Quito',
    address: 'Av. Amazonas N34-451 y Av. Atahualpa',
    documentType: 'CI',
    applicationType: 'NATURAL_PERSON',
    referenceTransaction: makeReference(),
    period: 'FOUR_YEARS',
    certificateType: 'TRADITIONAL_SIGNATURE',
    evidences: [makeEvidence()],
    password: 'Contraseña 1.ñ',
    callbackUrl: 'http://127.0.0.1:9/webhooks',
  };
  return { ...body, ...overrides } as LinkedPartnerBody;
}

/** For a company's legal representative. */
export function makeCompanyFields() {
  return {
    applicationType: 'LEGAL_REPRESENTATIVE',
    companyRuc: makeRuc(),
    positionCompany: 'Gerente General',
    companySocialReason: 'Comercial Ñandú S.A.',
    expirationDateAppointment: '2045-12-31',
  } as const;
}

/** One evidence item with a PNG of about `sizeBytes` bytes before base64. */
export function makeEvidence(sizeBytes = 1_000): { evidenceFile: string; validatorUrl: string } {
  return {
    evidenceFile: makePng(sizeBytes).toString('base64'),
    validatorUrl: 'https://partner.example/validations/1',
  };
}
