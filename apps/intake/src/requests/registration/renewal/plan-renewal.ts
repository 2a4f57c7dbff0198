import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import type { Family } from '@rubrica/contracts/shared/enumerations';
import { wholeOf } from '../correction-rules.ts';
import type { Former } from './find-renewable.ts';
import { mergeFields } from './merge-fields.ts';

type RegisterInput = requestsContract.RegisterInput;

/** What is given anew, of whichever family. */
export interface Given extends Pick<RegisterInput, 'files' | 'sealedPassword' | 'evidence'> {
  /** Of the new request. */
  readonly referenceTransaction: string;
  readonly fields: RegisterInput['fields'];
}

export interface RenewalWish {
  /** Of the new request. */
  readonly requestId: string;
  readonly former: Former;
  /** Its place among the renewals of the same certificate. */
  readonly renewalNumber: number;
  readonly given: Given;
  /** The former certificate is revoked once the new one is issued. */
  readonly supersedes: boolean;
}

/** Evidence of the former request, as far as its rules ask. */
export interface FormerFile {
  readonly field: string | null;
  readonly mediaType: string | null;
}

const takesPassword: Readonly<Record<Family, boolean>> = {
  TV: true,
  FR: false,
  FT: true,
  FS: false,
  API: true,
};

/** The files that the family takes: fields of their own, or the list `evidences`. */
const takesFile: {
  readonly [F in Family]?: (item: { readonly field?: string | null | undefined }) => boolean;
} = {
  TV: ({ field }) => field === undefined || field === null,
  FR: ({ field }) => field !== undefined && field !== null,
};

export interface RenewalPlan<File extends FormerFile> {
  /** What a registration of the family would have been sent. */
  readonly input: RegisterInput;
  /** What is taken over. */
  readonly carried: readonly File[];
}

/** The registration that a renewal is: the former's data with what replaces them. */
export function planRenewal<File extends FormerFile>(
  { requestId, former, given }: RenewalWish,
  stored: readonly File[],
): RenewalPlan<File> {
  const { family } = former;
  const takes = takesFile[family] ?? (() => false);
  const evidence = evidenceOf(given, takes);
  const fields = mergeFields(former, given.fields, given.referenceTransaction);
  const files = family === 'FR' ? given.files : [];
  const whole = wholeOf(
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
      fields: family === 'FR' ? { ...whole.fields } : fields,
      faults: [],
      files: [...whole.files].map(([field, mediaType]) => ({ field, mediaType })),
      ...(evidence === undefined ? {} : { evidence }),
      ...(given.sealedPassword !== undefined && takesPassword[family]
        ? { sealedPassword: given.sealedPassword }
        : {}),
    },
    carried: isListReplaced
      ? []
      : stored.filter((file) => takes(file) && !(file.field !== null && replaced.has(file.field))),
  };
}

function evidenceOf(
  { evidence }: Given,
  takes: (item: { readonly field?: string | undefined }) => boolean,
): Given['evidence'] {
  const items = evidence?.items.filter(takes) ?? [];
  const isFaulty = (evidence?.errors.length ?? 0) > 0 && takes({});
  if (evidence === undefined || (items.length === 0 && !isFaulty)) return undefined;
  return { ...evidence, items, errors: takes({}) ? evidence.errors : [] };
}
