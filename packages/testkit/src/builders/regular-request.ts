import type { RegularFile, RegularRequest } from '@rubrica/contracts/rest/regular';
import { makeJpeg, makePdf, makePng } from './files.ts';
import { makeCedula, makeReference, makeRuc } from './identity.ts';

/** Body as a partner writes it: files in base64, or as integers. */
export type RegularBody = Omit<RegularRequest, RegularFile> & {
  [Name in RegularFile]?: string | number[];
};

/**
 * Creates a body of `POST /collector/request` that is accepted. In the sandbox it is approved if the partner's review
 * policy requires no person. Cédula and reference are new each time; an override of `undefined` omits the field.
 */
export function makeRegularRequest(
  overrides: { [K in keyof RegularBody]?: RegularBody[K] | undefined } = {},
): RegularBody {
  const body: RegularBody = {
    identificationNumber: makeCedula(),
    fingerCode: 'V4333V2222',
    emailAddress: 'maria.nunez@example.com',
    cellphoneNumber: '+593991234567',
    province: 'Pichincha',
    city: 'Quito',
    address: 'Av. Amazonas N34-451 y Av. Atahualpa',
    countryCode: 'ECU',
    documentType: 'CI',
    applicationType: 'NATURAL_PERSON',
    period: 'FOUR_YEARS',
    referenceTransaction: makeReference(),
    identificationFront: base64(makePng(1_000)),
    identificationBack: base64(makePng(1_000)),
    identificationSelfie: base64(makeJpeg(1_000)),
  };
  return { ...body, ...overrides } as RegularBody;
}

/** Creates fields and attachments of a company's legal representative. */
export function makeRegularCompany() {
  return {
    applicationType: 'LEGAL_REPRESENTATIVE',
    companyRuc: makeRuc(),
    positionCompany: 'Gerente General',
    companySocialReason: 'Comercial Ñandú S.A.',
    appointmentExpirationDate: '2045-12-31',
    pdfCompanyRuc: base64(makePdf()),
    pdfRepresentativeAppointment: base64(makePdf()),
    pdfCompanyConstitution: base64(makePdf()),
  } as const;
}

function base64(file: Buffer): string {
  return file.toString('base64');
}
