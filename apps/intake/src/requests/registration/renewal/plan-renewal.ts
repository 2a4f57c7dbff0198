import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import type { Family } from '@rubrica/contracts/shared/enumerations';
import { applyCorrection } from '../correction-rules.ts';
import type { FormerRequest } from './find-renewable.ts';
import { mergeFields } from './merge-fields.ts';

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
