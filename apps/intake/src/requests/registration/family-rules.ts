import type { Family } from '@rubrica/contracts/shared/enumerations';
import { type ErrorDetail, errorCatalogue } from '@rubrica/contracts/shared/errors';
import { familyKinds } from '@rubrica/contracts/shared/families';
import {
  checkCertificateFlag,
  checkCompanyDocuments,
  checkIdentityFiles,
  checkLocations,
} from './regular-rules.ts';
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
  fingerCode,
  identificationNumber,
  password,
  period,
  type Rule,
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
