import type { Family } from '@rubrica/contracts/shared/enumerations';
import { type ErrorDetail, errorCatalogue } from '@rubrica/contracts/shared/errors';
import { familyKinds } from '@rubrica/contracts/shared/families';
import { companyDocuments, identityCertificateFlag, identityFiles, places } from './regular-rules.ts';
import {
  applicant,
  applyRules,
  appointment,
  type Checked,
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

/** Fields that any family may have; one that is not there is no fault of theirs. */
const fieldChecks: readonly Rule[] = [
  identificationNumber,
  certifiedText,
  fingerCode,
  cellphoneNumber,
  companyRuc,
  callbackUrl,
];

const ofApplicant: readonly Rule[] = [...fieldChecks, appointment('expirationDateAppointment')];

/** What each family's body must satisfy beyond the shape of its fields. */
const familyRules: Readonly<Record<Family, readonly Rule[]>> = {
  TV: [...ofApplicant, companyData, applicant, period, password],
  FR: [
    ...fieldChecks,
    appointment('appointmentExpirationDate'),
    places,
    identityFiles,
    companyDocuments,
    identityCertificateFlag,
  ],
  FT: [...ofApplicant, applicant],
  FS: fieldChecks,
  API: [...ofApplicant, companyData, applicant],
};

/** Every fault of a family's body that the gateway could not see, all at once. */
export function checkBody(family: Family, { fields, found, context }: Checked): readonly ErrorDetail[] {
  const { certificateTypes } = familyKinds[family];
  const [certificateType] = certificateTypes.length === 1 ? certificateTypes : [];
  const known = certificateType === undefined ? fields : { ...fields, certificateType };
  return applyRules(familyRules[family], { fields: known, found, context });
}

/** The field checks alone, for what is sent anew later. */
export function checkCorrections(checked: Checked): readonly ErrorDetail[] {
  return applyRules(fieldChecks, checked);
}

/** Whether a fault stands before all that depends on anything but the body (400 before 409 before 412). */
export function refusesBody({ code }: ErrorDetail): boolean {
  return errorCatalogue[code].http < 409;
}
