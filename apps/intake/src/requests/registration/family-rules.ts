import { createFieldText, createText } from '@rubrica/contracts/error-texts/create-text';
import { identityImages } from '@rubrica/contracts/rest/regular';
import type { Family } from '@rubrica/contracts/shared/enumerations';
import { type ErrorDetail, errorCatalogue } from '@rubrica/contracts/shared/errors';
import { familyKinds } from '@rubrica/contracts/shared/families';
import { findCanton, findProvince } from '@rubrica/ecuador';
import { errorDetail, fieldFault } from '@rubrica/process/errors';
import {
  applicant,
  applyRules,
  appointment,
  type CheckInput,
  callbackUrl,
  cellphoneNumber,
  certifiedText,
  companyData,
  companyRuc,
  type Fields,
  fingerCode,
  identificationNumber,
  password,
  period,
  type Rule,
  type RuleContext,
  readFieldText,
} from './rules.ts';

/** Checks of fields that any family may have; a missing field is no fault of theirs. */
const fieldChecks: readonly Rule[] = [
  identificationNumber,
  certifiedText,
  fingerCode,
  cellphoneNumber,
  companyRuc,
  callbackUrl,
];

const applicantChecks: readonly Rule[] = [...fieldChecks, appointment('expirationDateAppointment')];

/** Rules that each family's body must satisfy beyond the shape of its fields. */
const familyRules: Readonly<Record<Family, readonly Rule[]>> = {
  TV: [...applicantChecks, companyData, applicant, period, password],
  FR: [
    ...fieldChecks,
    appointment('appointmentExpirationDate'),
    checkLocations,
    checkIdentityFiles,
    checkCompanyDocuments,
    checkCertificateFlag,
  ],
  FT: [...applicantChecks, applicant],
  FS: fieldChecks,
  API: [...applicantChecks, companyData, applicant],
};

/** Finds every fault of a family's body that the gateway could not see, all at once. */
export function checkBody(family: Family, { fields, found, context }: CheckInput): readonly ErrorDetail[] {
  const { certificateTypes } = familyKinds[family];
  const [certificateType] = certificateTypes.length === 1 ? certificateTypes : [];
  const known = certificateType === undefined ? fields : { ...fields, certificateType };
  return applyRules(familyRules[family], { fields: known, found, context });
}

/** Runs the field checks alone, for data that are sent later. */
export function checkCorrections(checked: CheckInput): readonly ErrorDetail[] {
  return applyRules(fieldChecks, checked);
}

/**
 * Returns whether a fault outweighs all that depends on anything but the body (400 before 409 before 412).
 */
export function isBodyFault({ code }: ErrorDetail): boolean {
  return errorCatalogue[code].http < 409;
}

function checkLocations(fields: Fields): readonly ErrorDetail[] {
  const [province, city] = [readFieldText(fields, 'province'), readFieldText(fields, 'city')];
  if (province !== undefined && !findProvince(province))
    return [
      fieldFault('FIELD_INVALID', 'province', createText('field.provinceUnknown', { given: province })),
    ];
  if (city === undefined || findCanton(city, province)) return [];
  const fault =
    province === undefined
      ? createText('field.cantonUnknown', { given: city })
      : createText('field.cantonOfProvince', { given: city, province });
  return [fieldFault('FIELD_INVALID', 'city', fault)];
}

/** Requires the identity files. An identity certificate shows on one page what the card shows on two. */
export function checkIdentityFiles(
  { isIdentityCertificate }: Fields,
  { files }: RuleContext,
): readonly ErrorDetail[] {
  return [...identityImages, 'identificationSelfie']
    .filter((name) => !files.has(name) && !(name === 'identificationBack' && isIdentityCertificate === true))
    .map((name) => fieldFault('FIELD_REQUIRED', name, createText('field.required')));
}

/**
 * Requires the flag for a PDF in place of an image, which can be nothing else (specification 2.3, rule 4).
 */
export function checkCertificateFlag(
  { isIdentityCertificate }: Fields,
  { files }: RuleContext,
): readonly ErrorDetail[] {
  if (isIdentityCertificate === true) return [];
  const isCertificate = identityImages.some((name) => files.get(name) === 'application/pdf');
  if (!isCertificate) return [];
  const code = 'IDENTITY_CERTIFICATE_FLAG_REQUIRED';
  return [errorDetail(code, 'isIdentityCertificate')];
}

const companyFieldNames = ['companyRuc', 'pdfCompanyRuc'] as const;
const representativeFieldNames = [
  'positionCompany',
  'companyRuc',
  'companySocialReason',
  'appointmentExpirationDate',
  'pdfRepresentativeAppointment',
  'pdfCompanyRuc',
  'pdfCompanyConstitution',
] as const;

function listRequired(fields: Fields, { files }: RuleContext): readonly string[] {
  if (fields.applicationType === 'LEGAL_REPRESENTATIVE') return representativeFieldNames;
  return companyFieldNames.some((name) => name in fields || files.has(name)) ? companyFieldNames : [];
}

/** Requires the documents of a company (specification 2.3, rules 1 and 2). */
function checkCompanyDocuments(fields: Fields, context: RuleContext): readonly ErrorDetail[] {
  return listRequired(fields, context)
    .filter((name) => !(name in fields) && !context.files.has(name))
    .map((name) =>
      name === 'pdfCompanyRuc'
        ? errorDetail(
            'COMPANY_RUC_DOCUMENT_REQUIRED',
            name,
            createFieldText('pdfCompanyRuc', createText('field.requiredWithCompanyRuc')),
          )
        : fieldFault('COMPANY_DOCUMENT_REQUIRED', name, createText('field.requiredForApplication')),
    );
}
