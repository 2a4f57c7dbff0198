import { linkedPartnerShape } from '@rubrica/contracts/rest/linked-partner';
import { regularFileNames, regularShape } from '@rubrica/contracts/rest/regular';
import { simplifiedShape } from '@rubrica/contracts/rest/simplified';
import { transactionalShape } from '@rubrica/contracts/rest/transactional';
import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import type { Family } from '@rubrica/contracts/shared/enumerations';
import type { ErrorDetail } from '@rubrica/contracts/shared/errors';
import type { RequestsDeps } from '../deps.ts';
import { createRepeatError } from '../registration/answer-repeat.ts';
import { applyCorrection } from '../registration/correction-rules.ts';
import {
  examineRegistration,
  isReferenceTaken,
  type RegistrationContext,
} from '../registration/examine-registration.ts';
import type { RegisterDeps } from '../registration/register-request.ts';
import type { Fields } from '../registration/rules.ts';
import { familyPlans } from '../request/family-plans.ts';
import type { Request } from '../request/request.entity.ts';
import { findFormerEvidence } from './carry-evidence.ts';
import type { FormerRequest } from './find-renewable.ts';

export type RenewalDeps = RegisterDeps & Pick<RequestsDeps, 'keyring'>;

/**
 * Makes every check of a renewal after that of the former certificate, in their order of precedence; writes
 * nothing.
 * @throws AppError
 */
export async function examineRenewal(
  deps: RenewalDeps,
  wish: RenewalRequest,
  registering: RegistrationContext,
) {
  const stored = await findFormerEvidence(deps, wish.former);
  const { input, carried } = planRenewal(wish, stored);
  const repeatInput = { input, partnerId: registering.partner.id };
  if (await isReferenceTaken(deps, repeatInput)) throw await createRepeatError(deps, repeatInput);
  const examined = await examineRegistration(input, registering, deps);
  if (examined.isRepeat) throw await createRepeatError(deps, repeatInput);
  const { warnings, sideEffects } = examined;
  return { input, carried, warnings, sideEffects };
}

type RegisterInput = requestsContract.RegisterInput;

/** Data that are given for the renewal, of any family. */
export interface RenewalInput extends Pick<RegisterInput, 'files' | 'sealedPassword' | 'evidence'> {
  /** Reference of the new request. */
  readonly referenceTransaction: string;
  readonly fields: RegisterInput['fields'];
}

export interface RenewalRequest {
  /** Id of the new request. */
  readonly requestId: string;
  readonly former: FormerRequest;
  /** Number among the renewals of the same certificate. */
  readonly renewalNumber: number;
  readonly given: RenewalInput;
  /** True if the former certificate is revoked once the new one is issued. */
  readonly supersedes: boolean;
}

/** Columns of the former request's evidence that the rules need. */
export interface FormerFile {
  readonly field: string | null;
  readonly mediaType: string | null;
}

const acceptsPassword: Readonly<Record<Family, boolean>> = {
  TV: true,
  FR: false,
  FT: true,
  FS: false,
  API: true,
};

/** Files that the family accepts: its own fields, or the list `evidences`. */
const acceptsFile: {
  readonly [F in Family]?: (item: { readonly field?: string | null | undefined }) => boolean;
} = {
  TV: ({ field }) => field === undefined || field === null,
  FR: ({ field }) => field !== undefined && field !== null,
};

export interface RenewalPlan<File extends FormerFile> {
  /** Input that a registration of the family would have had. */
  readonly input: RegisterInput;
  /** Files that are carried over. */
  readonly carried: readonly File[];
}

/** Plans the registration of a renewal: the former's data, with those that replace them. */
export function planRenewal<File extends FormerFile>(
  { requestId, former, given }: RenewalRequest,
  stored: readonly File[],
): RenewalPlan<File> {
  const { family } = former;
  const accepts = acceptsFile[family] ?? (() => false);
  const evidence = selectEvidence(given, accepts);
  const fields = mergeFields(former, given.fields, given.referenceTransaction);
  const files = family === 'FR' ? given.files : [];
  const merged = applyCorrection(
    { corrections: given.fields, files },
    {
      fields,
      files: new Map(family === 'FR' ? stored.map(({ field, mediaType }) => [`${field}`, mediaType]) : []),
    },
  );
  const replaced = new Set(files.map(({ field }) => field));
  const isListReplaced = family === 'TV' && evidence !== undefined;
  return {
    input: {
      requestId,
      family,
      fields: family === 'FR' ? { ...merged.fields } : fields,
      faults: [],
      files: [...merged.files].map(([field, mediaType]) => ({ field, mediaType })),
      ...(evidence === undefined ? {} : { evidence }),
      ...(given.sealedPassword !== undefined && acceptsPassword[family]
        ? { sealedPassword: given.sealedPassword }
        : {}),
    },
    carried: isListReplaced
      ? []
      : stored.filter((file) => accepts(file) && !(file.field !== null && replaced.has(file.field))),
  };
}

function selectEvidence(
  { evidence }: RenewalInput,
  accepts: (item: { readonly field?: string | undefined }) => boolean,
): RenewalInput['evidence'] {
  const items = evidence?.items.filter(accepts) ?? [];
  const isFaulty = (evidence?.errors.length ?? 0) > 0 && accepts({});
  if (evidence === undefined || (items.length === 0 && !isFaulty)) return undefined;
  return { ...evidence, items, errors: accepts({}) ? evidence.errors : [] };
}

/** Fields of each family's registration; the steps of the API flow are not renewed. */
const familyFields: Readonly<Record<Family, readonly string[]>> = {
  TV: Object.keys(linkedPartnerShape),
  FR: Object.keys(regularShape),
  FT: Object.keys(transactionalShape),
  FS: Object.keys(simplifiedShape),
  API: [],
};

const common: readonly string[] = [
  'serialNumber',
  'referenceTransaction',
  'newReferenceTransaction',
  'supersede',
  'dryRun',
];

/** Other members of the bodies. */
const otherMembers: Readonly<Record<Family, readonly string[]>> = {
  TV: ['evidences', 'password'],
  FR: regularFileNames,
  FT: ['password'],
  FS: [],
  API: [],
};

/** Returns whether a fault is of a field that a renewal of the family has; the rest of a body is ignored. */
export function isRenewalField(family: Family, { field = '' }: Pick<ErrorDetail, 'field'>): boolean {
  const [name = ''] = field.split(/[.[]/);
  return [common, familyFields[family], otherMembers[family]].some((names) => names.includes(name));
}

/** Fields that stay, because they say who and what is certified. */
const fixed: readonly string[] = [
  'identificationNumber',
  'applicantName',
  'applicantLastName',
  'applicantSecondLastName',
  'documentType',
  'applicationType',
  'certificateType',
  'companyRuc',
];

type MergedRequest = Pick<
  Request,
  | 'family'
  | 'identificationNumber'
  | 'applicationType'
  | 'certificateType'
  | 'period'
  | 'callbackUrl'
  | 'details'
>;

/** Builds the body of a registration of the former's family: its own data, replaced by those given. */
function mergeFields(
  former: MergedRequest,
  given: Fields,
  referenceTransaction: string,
): Record<string, string | boolean> {
  const { family, details, identificationNumber, applicationType, certificateType, period } = former;
  const { callbackUrl } = former;
  const stored: Fields = {
    ...details,
    ...{ identificationNumber, applicationType, certificateType, period },
    ...(callbackUrl === null ? {} : { callbackUrl }),
  };
  const { canonicalNames } = familyPlans[family];
  const merged = familyFields[family].flatMap((name) => {
    const value = (fixed.includes(name) ? undefined : given[name]) ?? stored[canonicalNames[name] ?? name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(merged), referenceTransaction };
}
