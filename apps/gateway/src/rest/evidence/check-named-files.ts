import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import type { ErrorDetail } from '@rubrica/contracts/shared/errors';
import { type FileKind, readFileKinds } from '@rubrica/contracts/shared/fields';
import { fieldFault } from '@rubrica/process/errors';
import { uuidv7 } from '@rubrica/process/time';
import type { z } from 'zod';
import type { Body, FileLimits, FileValue } from '../../body/body.ts';
import { createFilesTooLarge } from '../../body/refused-document.ts';
import { invalidField } from '../../fields/parse-fields.ts';
import type { BundleItem } from './bundle-files.ts';
import { judgeFile } from './judge-file.ts';

/** File fields of a body; their schemas define the accepted kinds of content. */
export type FileFields = Readonly<Record<string, z.ZodType>>;

export interface CheckedFiles {
  /** Files that can be accepted. */
  readonly items: readonly BundleItem[];
  /** All received files, including faulty ones: intake's rules depend on whether a field is present. */
  readonly files: requestsContract.RegisterInput['files'];
  readonly faults: readonly ErrorDetail[];
}

const kindTexts: Readonly<Record<FileKind, ErrorText>> = {
  image: createText('file.kind.image'),
  pdf: createText('file.kind.pdf'),
  video: createText('file.kind.video'),
};

/**
 * Checks files in separate fields. An unacceptable one refuses the body, unlike an evidence of a list. Intake's rules
 * determine missing files.
 * @throws AppError FILE_TOO_LARGE: its 413 precedes any 400
 */
export function checkNamedFiles(
  body: Pick<Body, 'files'>,
  fields: FileFields,
  limits: FileLimits,
): CheckedFiles {
  const checkedFields = Object.entries(fields).flatMap(([field, schema]) => {
    const value = body.files.get(field);
    if (value === undefined) return [];
    return { field, value, checked: checkFile(value, { field, kinds: readFileKinds(schema), limits }) };
  });
  const tooLarge = checkedFields.flatMap(({ checked }) => checked.tooLarge ?? []);
  if (tooLarge.length > 0) throw createFilesTooLarge(tooLarge);
  return {
    items: checkedFields.flatMap(({ checked }) => checked.item ?? []),
    files: checkedFields.map(({ field, value }) => ({ field, mediaType: getMediaType(value) })),
    faults: checkedFields.flatMap(({ checked }) => checked.fault ?? []),
  };
}

interface CheckedFile {
  readonly item?: BundleItem;
  readonly fault?: ErrorDetail;
  readonly tooLarge?: ErrorDetail;
}

interface FileExpectation {
  readonly field: string;
  readonly kinds: readonly FileKind[];
  readonly limits: FileLimits;
}

function checkFile(value: FileValue, { field, kinds, limits }: FileExpectation): CheckedFile {
  const judged = judgeFile(value, field, limits);
  switch (judged.kind) {
    case 'too-large':
      return { tooLarge: judged.fault };
    case 'not-a-file':
      return { fault: judged.fault };
    case 'late-pdf':
      if (!kinds.includes('pdf')) return { fault: createWrongKind(field, kinds) };
      return { fault: fieldFault('FILE_TYPE_NOT_ALLOWED', field, judged.expectation) };
    case 'unusable':
      if (value.kind === 'undecodable') return { fault: invalidField(field, judged.expectation) };
      return { fault: createWrongKind(field, kinds) };
    case 'file': {
      const fileClass = judged.file.type?.fileClass;
      const isTaken = fileClass !== undefined && kinds.includes(fileClass);
      return isTaken
        ? { item: { evidenceId: uuidv7(), field, place: field } }
        : { fault: createWrongKind(field, kinds) };
    }
  }
}

function createWrongKind(field: string, kinds: readonly FileKind[]): ErrorDetail {
  const taken = kinds.map((kind) => kindTexts[kind]);
  return fieldFault('FILE_TYPE_NOT_ALLOWED', field, createText('file.ofKinds', { kinds: taken }));
}

function getMediaType(value: FileValue): string | null {
  return value.kind === 'file' ? (value.file.type?.mediaType ?? null) : null;
}
