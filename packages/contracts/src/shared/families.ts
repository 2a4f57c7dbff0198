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
export const allowedPeriods: Readonly<Record<CertificateType, readonly Period[]>> = {
  TRADITIONAL_SIGNATURE: periods,
  TRANSACTIONAL_SIGNATURE: ['ONE_WEEK'],
};

/** Application types of each kind of certificate (specification 2.1, rule 2). */
export const allowedApplicationTypes: Readonly<Record<CertificateType, readonly ApplicationType[]>> = {
  TRADITIONAL_SIGNATURE: applicationTypes,
  TRANSACTIONAL_SIGNATURE: ['NATURAL_PERSON'],
};

/** Certificate and application types of a family: given in its body, or fixed by the family. */
export interface FamilyKinds {
  readonly certificateTypes: readonly CertificateType[];
  readonly applicationTypes: readonly ApplicationType[];
}

/** Types by family. Specification 2.1 and 2.3; completion of the interface, section 7. */
export const familyKinds: Readonly<Record<Family, FamilyKinds>> = {
  TV: { certificateTypes, applicationTypes },
  FR: { certificateTypes: ['TRADITIONAL_SIGNATURE'], applicationTypes },
  FT: { certificateTypes: ['TRANSACTIONAL_SIGNATURE'], applicationTypes: ['NATURAL_PERSON'] },
  // The body of this family has no company fields.
  FS: { certificateTypes: ['TRADITIONAL_SIGNATURE'], applicationTypes: ['NATURAL_PERSON'] },
  API: { certificateTypes: ['TRADITIONAL_SIGNATURE'], applicationTypes },
};

/** Paths at which partners query the status of a request, by family. */
export const statusPaths: Readonly<Record<Family, string>> = {
  TV: '/middleware/signature-request/status',
  FR: '/gateway/request/status',
  FT: '/middleware/transactional/validation-status',
  FS: '/middleware/simplified/request/status',
  API: '/signature/api/request/status',
};
