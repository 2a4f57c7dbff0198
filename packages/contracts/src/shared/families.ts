import {
  type ApplicationType,
  applicationTypes,
  type CertificateType,
  certificateTypes,
  type Family,
  type Period,
  periods,
} from './enumerations.ts';

/** Periods of each kind of certificate (specification 2.1, rule 3). */
export const periodsOf: Readonly<Record<CertificateType, readonly Period[]>> = {
  TRADITIONAL_SIGNATURE: periods,
  TRANSACTIONAL_SIGNATURE: ['ONE_WEEK'],
};

/** Who may apply for each kind of certificate (specification 2.1, rule 2). */
export const applicationTypesOf: Readonly<Record<CertificateType, readonly ApplicationType[]>> = {
  TRADITIONAL_SIGNATURE: applicationTypes,
  TRANSACTIONAL_SIGNATURE: ['NATURAL_PERSON'],
};

/** What a request of a family may be for, and by whom: said in its body, or settled by the family alone. */
export interface FamilyKinds {
  readonly certificateTypes: readonly CertificateType[];
  readonly applicationTypes: readonly ApplicationType[];
}

/** Specification 2.1 and 2.3; completion of the interface, section 7. */
export const familyKinds: Readonly<Record<Family, FamilyKinds>> = {
  TV: { certificateTypes, applicationTypes },
  FR: { certificateTypes: ['TRADITIONAL_SIGNATURE'], applicationTypes },
  FT: { certificateTypes: ['TRANSACTIONAL_SIGNATURE'], applicationTypes: ['NATURAL_PERSON'] },
  // Its body has no field of a company.
  FS: { certificateTypes: ['TRADITIONAL_SIGNATURE'], applicationTypes: ['NATURAL_PERSON'] },
  API: { certificateTypes: ['TRADITIONAL_SIGNATURE'], applicationTypes },
};

/** Addresses at which the status of a request of each family is asked for. */
export const statusPaths: Readonly<Record<Family, string>> = {
  TV: '/middleware/signature-request/status',
  FR: '/gateway/request/status',
  FT: '/middleware/transactional/validation-status',
  FS: '/middleware/simplified/request/status',
  API: '/signature/api/request/status',
};
