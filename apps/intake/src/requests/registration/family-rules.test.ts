import { regularRequestSchema, regularShape } from '@rubrica/contracts/rest/regular';
import { documentTypes } from '@rubrica/contracts/shared/enumerations';
import { allowedApplicationTypes } from '@rubrica/contracts/shared/families';
import { cantons, provinces } from '@rubrica/ecuador';
import { describe, expect, it } from 'vitest';
import { checkBody } from './family-rules.ts';
import type { Fields } from './rules.ts';

const image = 'image/png';
const pdf = 'application/pdf';
const identity = { identificationFront: image, identificationBack: image, identificationSelfie: image };

function codes(fields: Fields, files: Readonly<Record<string, string>> = identity) {
  return checkBody('FR', {
    fields: { province: 'Pichincha', city: 'Quito', applicationType: 'NATURAL_PERSON', ...fields },
    found: [],
    context: {
      now: new Date('2026-11-21T12:00:00Z'),
      timeZone: 'America/Guayaquil',
      passwordConfiguration: 'PARTNER',
      passwordGiven: false,
      allowLoopbackCallback: false,
      files: new Map(Object.entries(files)),
    },
  }).map(({ code, field }) => `${code} ${field}`);
}

describe('the places of a regular request', () => {
  it('are those of the reference lists, by code and by name, each canton in its own province', () => {
    for (const { code, name } of provinces)
      for (const province of [code, name, name.toUpperCase()])
        expect(codes({ province, city: '' })).not.toContain('FIELD_INVALID province');
    for (const { code, name, provinceCode } of cantons)
      for (const city of [code, name, name.toLowerCase()])
        expect(codes({ province: provinceCode, city }), name).toEqual([]);
  });

  it.each([
    [{ province: 'Lima' }, 'FIELD_INVALID province'],
    [{ province: 'Azuay', city: 'Quito' }, 'FIELD_INVALID city'],
    [{ city: 'Springfield' }, 'FIELD_INVALID city'],
  ])('are no others: %j', (fields, expected) => {
    expect(codes(fields)).toEqual([expected]);
  });
});

describe('the attachments of a regular request', () => {
  it('are none for a natural person without a company', () => {
    expect(codes({})).toEqual([]);
  });

  it('are asked for one by one, each by its name', () => {
    expect(codes({}, {})).toEqual([
      'FIELD_REQUIRED identificationFront',
      'FIELD_REQUIRED identificationBack',
      'FIELD_REQUIRED identificationSelfie',
    ]);
    expect(codes({ companyRuc: '1793213150001' })).toEqual(['COMPANY_RUC_DOCUMENT_REQUIRED pdfCompanyRuc']);
    expect(codes({}, { ...identity, pdfCompanyRuc: pdf })).toEqual(['COMPANY_DOCUMENT_REQUIRED companyRuc']);
    expect(codes({ applicationType: 'LEGAL_REPRESENTATIVE' })).toEqual([
      'COMPANY_DOCUMENT_REQUIRED positionCompany',
      'COMPANY_DOCUMENT_REQUIRED companyRuc',
      'COMPANY_DOCUMENT_REQUIRED companySocialReason',
      'COMPANY_DOCUMENT_REQUIRED appointmentExpirationDate',
      'COMPANY_DOCUMENT_REQUIRED pdfRepresentativeAppointment',
      'COMPANY_RUC_DOCUMENT_REQUIRED pdfCompanyRuc',
      'COMPANY_DOCUMENT_REQUIRED pdfCompanyConstitution',
    ]);
  });

  it('may be an identity certificate, which says so and needs no back', () => {
    const certificate = { identificationFront: pdf, identificationSelfie: image };
    expect(codes({ isIdentityCertificate: true }, certificate)).toEqual([]);
    expect(codes({ isIdentityCertificate: false }, { ...certificate, identificationBack: image })).toEqual([
      'IDENTITY_CERTIFICATE_FLAG_REQUIRED isIdentityCertificate',
    ]);
    expect(codes({}, certificate)).toEqual([
      'FIELD_REQUIRED identificationBack',
      'IDENTITY_CERTIFICATE_FLAG_REQUIRED isIdentityCertificate',
    ]);
  });
});

it('the kinds that a regular body may name are those of the reference lists', () => {
  const { applicationType, documentType } = regularShape;
  expect(applicationType.options).toEqual(allowedApplicationTypes.TRADITIONAL_SIGNATURE);
  expect(documentType.options).toEqual(documentTypes);
  expect(regularRequestSchema.shape.countryCode.safeParse('ECU').success).toBe(true);
  for (const code of ['EC', 'ecu', 'XXX', '593'])
    expect(regularRequestSchema.shape.countryCode.safeParse(code).success, code).toBe(false);
});
