import { identityImages } from '@rubrica/contracts/rest/regular';
import type {
  ApplicationType,
  CertificateType,
  Family,
  PasswordConfiguration,
  Period,
} from '@rubrica/contracts/shared/enumerations';
import type { ErrorCode } from '@rubrica/contracts/shared/errors';
import { familyKinds, periodsOf } from '@rubrica/contracts/shared/families';

/** Who opens the certificate's file: the partner's password, one the service makes, or one the applicant chooses. */
export type PasswordOrigin = 'PARTNER' | 'SERVICE' | 'HOLDER';

/** What is particular to a family, apart from its rules (`registration/family-rules.ts`). */
export interface FamilyPlan {
  /** Names of the body's fields that the record and the rules name differently. */
  readonly canonicalNames: Readonly<Record<string, string>>;
  /** `always`: the applicant claims; `agreed`: where no password came and the partner agreed to it; `never`. */
  readonly claim: 'always' | 'agreed' | 'never';
  /** Its names come from the identity registry, whatever the body says. */
  readonly namesFromRegistry: boolean;
  /** The partner's review policy decides whether a person looks at what passed every check. */
  readonly isReviewed: boolean;
  /** The partner takes it from step to step by calls (`signature/`), within so many hours; null: it goes on by itself. */
  readonly stepwiseHours: number | null;
  /** Registering accepts the terms in force. */
  readonly acceptsTerms: boolean;
  /** The partner may fetch the issued file itself. */
  readonly isRetrieved: boolean;
  /** From this age on the applicant's authorization on video is needed. */
  readonly videoFromAge: number | null;
  /** What may be sent anew to mend an error; a code that is not here is mended by running the step again alone. */
  readonly correctable: { readonly [Code in ErrorCode]?: readonly string[] };
}

const fromApplicant = {
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
      ...fromApplicant,
      APPLICANT_DATA_WRONG: [...fromApplicant.NAME_MISMATCH, 'email', 'secondEmail', 'cellphoneNumber'],
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
      // Its names are the registry's, whatever is sent.
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

/** Given; chosen by the applicant at the claim; or made by the service. */
export function passwordOriginOf(
  family: Family,
  { given, configuration }: { given: boolean; configuration: PasswordConfiguration },
): PasswordOrigin {
  const { claim } = familyPlans[family];
  if (claim === 'always') return 'HOLDER';
  if (given) return 'PARTNER';
  return claim === 'agreed' && configuration === 'ONE_TIME_PASSWORD' ? 'HOLDER' : 'SERVICE';
}

type Fields = Readonly<Record<string, string | boolean>>;

/** What a request is for: as its body says, or settled by the family where it has one possibility alone. */
export function kindOf(family: Family, fields: Fields) {
  const only = <Value>(values: readonly Value[]): Value | undefined =>
    values.length === 1 ? values[0] : undefined;
  const kinds = familyKinds[family];
  const certificateType = (only(kinds.certificateTypes) ?? fields.certificateType) as CertificateType;
  return {
    certificateType,
    applicationType: (only(kinds.applicationTypes) ?? fields.applicationType) as ApplicationType,
    period: (only(periodsOf[certificateType] ?? []) ?? fields.period) as Period,
  };
}

/** How the family's body calls what the record knows by `name`. */
export function ownNameOf(family: Family, name: string): string {
  const names = Object.entries(familyPlans[family].canonicalNames);
  return names.find(([, canonicalName]) => canonicalName === name)?.[0] ?? name;
}

/** Fields under the names that the record and the rules know them by. */
export function canonical(family: Family, fields: Fields): Fields {
  const { canonicalNames } = familyPlans[family];
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [canonicalNames[name] ?? name, value]),
  );
}
