import { identityImages } from '@rubrica/contracts/rest/regular';
import type {
  ApplicationType,
  CertificateType,
  Family,
  PasswordConfiguration,
  Period,
} from '@rubrica/contracts/shared/enumerations';
import type { ErrorCode } from '@rubrica/contracts/shared/errors';
import { allowedPeriods, familyKinds } from '@rubrica/contracts/shared/families';

/** Origin of the password of the certificate's file: the partner, the service, or the applicant's choice. */
export type PasswordOrigin = 'PARTNER' | 'SERVICE' | 'HOLDER';

/** Particulars of a family, apart from its rules (`registration/family-rules.ts`). */
export interface FamilyPlan {
  /** Names of the body's fields that differ in the record and the rules. */
  readonly canonicalNames: Readonly<Record<string, string>>;
  /** `always`: the applicant claims; `agreed`: if no password came and the partner agreed to it; `never`. */
  readonly claim: 'always' | 'agreed' | 'never';
  /** True if names come from the identity registry, whatever the body says. */
  readonly namesFromRegistry: boolean;
  /**
   * True if the partner's review policy decides whether a person reviews a request that passed every check.
   */
  readonly isReviewed: boolean;
  /**
   * Hours within which the partner takes the request from step to step by calls (`signature/`); null if it
   * continues automatically.
   */
  readonly stepwiseHours: number | null;
  /** True if registering accepts the terms in force. */
  readonly acceptsTerms: boolean;
  /** True if the partner may fetch the issued file. */
  readonly isRetrieved: boolean;
  /** Age from which the applicant's authorization on video is needed. */
  readonly videoFromAge: number | null;
  /**
   * Fields that may be sent to correct an error; an error that is missing here is repaired by running the
   * step again.
   */
  readonly correctable: { readonly [Code in ErrorCode]?: readonly string[] };
}

const applicantFields = {
  FINGER_CODE_MISMATCH: ['fingerCode'],
  NAME_MISMATCH: ['applicantName', 'applicantLastName', 'applicantSecondLastName'],
} as const;

function plan(particulars: Partial<FamilyPlan>): FamilyPlan {
  return {
    canonicalNames: {},
    claim: 'never',
    namesFromRegistry: false,
    isReviewed: false,
    stepwiseHours: null,
    acceptsTerms: false,
    isRetrieved: false,
    videoFromAge: null,
    // Without an operation that corrects there is nothing to name.
    correctable: {},
    ...particulars,
  };
}

export const familyPlans: Readonly<Record<Family, FamilyPlan>> = {
  TV: plan({
    claim: 'agreed',
    correctable: {
      ...applicantFields,
      APPLICANT_DATA_WRONG: [...applicantFields.NAME_MISMATCH, 'email', 'secondEmail', 'cellphoneNumber'],
      DOCUMENT_ILLEGIBLE: ['evidences'],
      SELFIE_MISMATCH: ['evidences'],
      EVIDENCE_INVALID: ['evidences'],
      EVIDENCE_MISSING: ['evidences'],
    },
  }),
  FR: plan({
    canonicalNames: { emailAddress: 'email', appointmentExpirationDate: 'expirationDateAppointment' },
    claim: 'always',
    namesFromRegistry: true,
    isReviewed: true,
    videoFromAge: 65,
    correctable: {
      FINGER_CODE_MISMATCH: ['fingerCode'],
      NAME_MISMATCH: [...identityImages, 'identificationSelfie'],
      // Its names come from the registry, whatever is sent.
      APPLICANT_DATA_WRONG: ['emailAddress', 'cellphoneNumber'],
      DOCUMENT_ILLEGIBLE: [...identityImages, 'identificationSelfie'],
      SELFIE_MISMATCH: ['identificationSelfie'],
      AUTHORIZATION_VIDEO_REQUIRED: ['authorizationVideo'],
      RUC_INACTIVE: ['pdfCompanyRuc'],
      REPRESENTATIVE_NOT_CONFIRMED: ['pdfRepresentativeAppointment', 'pdfCompanyConstitution'],
    },
  }),
  FT: plan({ isRetrieved: true }),
  FS: plan({ canonicalNames: { emailAddress: 'email' }, claim: 'always', namesFromRegistry: true }),
  API: plan({ stepwiseHours: 24, acceptsTerms: true, isRetrieved: true }),
};

/**
 * Determines the origin of a password: given, chosen by the applicant at the claim, or created by the
 * service.
 */
export function choosePasswordOrigin(
  family: Family,
  { given, configuration }: { given: boolean; configuration: PasswordConfiguration },
): PasswordOrigin {
  const { claim } = familyPlans[family];
  if (claim === 'always') return 'HOLDER';
  if (given) return 'PARTNER';
  return claim === 'agreed' && configuration === 'ONE_TIME_PASSWORD' ? 'HOLDER' : 'SERVICE';
}

type Fields = Readonly<Record<string, string | boolean>>;

/** Determines the kind of a request: as its body says, or fixed by a family with a single possibility. */
export function determineKind(family: Family, fields: Fields) {
  const pickOnly = <Value>(values: readonly Value[]): Value | undefined =>
    values.length === 1 ? values[0] : undefined;
  const kinds = familyKinds[family];
  const certificateType = (pickOnly(kinds.certificateTypes) ?? fields.certificateType) as CertificateType;
  return {
    certificateType,
    applicationType: (pickOnly(kinds.applicationTypes) ?? fields.applicationType) as ApplicationType,
    period: (pickOnly(allowedPeriods[certificateType] ?? []) ?? fields.period) as Period,
  };
}

/** Returns the name in the family's body of the record's field `name`. */
export function toBodyName(family: Family, name: string): string {
  const names = Object.entries(familyPlans[family].canonicalNames);
  return names.find(([, canonicalName]) => canonicalName === name)?.[0] ?? name;
}

/** Renames fields to the names of the record and the rules. */
export function toCanonicalFields(family: Family, fields: Fields): Fields {
  const { canonicalNames } = familyPlans[family];
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [canonicalNames[name] ?? name, value]),
  );
}
