import { say } from '@rubrica/contracts/error-texts/say';
import { identityImages } from '@rubrica/contracts/rest/regular';
import { type ErrorDetail, errorCatalogue } from '@rubrica/contracts/shared/errors';
import { findCanton, findProvince } from '@rubrica/ecuador';
import { errorDetail } from '@rubrica/process';
import { type Fields, type RuleContext, textOf } from './rules.ts';

export function places(fields: Fields): readonly ErrorDetail[] {
  const [province, city] = [textOf(fields, 'province'), textOf(fields, 'city')];
  if (province !== undefined && !findProvince(province))
    return [
      errorDetail(
        'FIELD_INVALID',
        'province',
        `province ${say('"{given}" is not a province of Ecuador, as /gateway/reference/provinces lists them', { given: province })}`,
      ),
    ];
  if (city === undefined || findCanton(city, province)) return [];
  const text =
    province === undefined
      ? say('"{given}" is not a canton of Ecuador, as /gateway/reference/cities lists them', { given: city })
      : say(
          '"{given}" is not a canton of the province "{province}", as /gateway/reference/cities lists them',
          { given: city, province },
        );
  return [errorDetail('FIELD_INVALID', 'city', `city ${text}`)];
}

/** An identity certificate shows on one page what the card shows on two. */
export function identityFiles(
  { isIdentityCertificate }: Fields,
  { files }: RuleContext,
): readonly ErrorDetail[] {
  return [...identityImages, 'identificationSelfie']
    .filter((name) => !files.has(name) && !(name === 'identificationBack' && isIdentityCertificate === true))
    .map((name) => errorDetail('FIELD_REQUIRED', name, `${name} ${say('is required')}`));
}

/** Specification 2.3, rule 4: a PDF in the place of an image can be nothing else. */
export function identityCertificateFlag(
  { isIdentityCertificate }: Fields,
  { files }: RuleContext,
): readonly ErrorDetail[] {
  if (isIdentityCertificate === true) return [];
  const isCertificate = identityImages.some((name) => files.get(name) === 'application/pdf');
  if (!isCertificate) return [];
  const code = 'IDENTITY_CERTIFICATE_FLAG_REQUIRED';
  return [errorDetail(code, 'isIdentityCertificate', errorCatalogue[code].en)];
}

const ofCompany = ['companyRuc', 'pdfCompanyRuc'] as const;
const ofRepresentative = [
  'positionCompany',
  'companyRuc',
  'companySocialReason',
  'appointmentExpirationDate',
  'pdfRepresentativeAppointment',
  'pdfCompanyRuc',
  'pdfCompanyConstitution',
] as const;

function needed(fields: Fields, { files }: RuleContext): readonly string[] {
  if (fields.applicationType === 'LEGAL_REPRESENTATIVE') return ofRepresentative;
  return ofCompany.some((name) => name in fields || files.has(name)) ? ofCompany : [];
}

/** Specification 2.3, rules 1 and 2. */
export function companyDocuments(fields: Fields, context: RuleContext): readonly ErrorDetail[] {
  return needed(fields, context)
    .filter((name) => !(name in fields) && !context.files.has(name))
    .map((name) =>
      name === 'pdfCompanyRuc'
        ? errorDetail(
            'COMPANY_RUC_DOCUMENT_REQUIRED',
            name,
            `pdfCompanyRuc ${say('is required with companyRuc')}`,
          )
        : errorDetail(
            'COMPANY_DOCUMENT_REQUIRED',
            name,
            `${name} ${say('is required for this application')}`,
          ),
    );
}
