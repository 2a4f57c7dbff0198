import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import type { ErrorDetail } from '@rubrica/contracts/shared/errors';
import type { FileLimits, FileValue } from '../../body/body.ts';
import type { SealedFile } from '../../body/files/seal-files.ts';
import { createFileTooLarge } from '../../body/refused-document.ts';
import { invalidField } from '../../fields/parse-fields.ts';

/** Result of checking a file field. Each family decides its consequence. */
export type JudgedFile =
  | { readonly kind: 'file'; readonly file: SealedFile }
  /** 413, before any 400. */
  | { readonly kind: 'too-large'; readonly fault: ErrorDetail }
  /** Neither text nor an array: 400 in every family. */
  | { readonly kind: 'not-a-file'; readonly fault: ErrorDetail }
  /** PDF with too many bytes before its header. */
  | { readonly kind: 'late-pdf'; readonly expectation: ErrorText }
  /** Invalid base64, an empty file, or an unsupported type. */
  | { readonly kind: 'unusable'; readonly expectation: ErrorText };

/**
 * Checks a file field.
 * @param place path of the field, such as `evidences[0].evidenceFile`
 */
export function judgeFile(value: FileValue, place: string, limits: FileLimits): JudgedFile {
  switch (value.kind) {
    case 'not-a-file':
      return {
        kind: 'not-a-file',
        fault: invalidField(place, createText('file.notBytes')),
      };
    case 'too-large':
      return { kind: 'too-large', fault: createFileTooLarge(place, Math.max(...Object.values(limits))) };
    case 'undecodable':
      return createUnusable(createText('file.undecodable'));
    case 'file': {
      const { type, size, octetsBeforePdf } = value.file;
      if (type === undefined && octetsBeforePdf !== undefined) return createLatePdf(octetsBeforePdf);
      if (type === undefined) {
        return createUnusable(createText('file.ofAnyKind'));
      }
      const limit = limits[type.fileClass];
      if (size > limit) return { kind: 'too-large', fault: createFileTooLarge(place, limit) };
      return { kind: 'file', file: value.file };
    }
  }
}

function createLatePdf(count: number): JudgedFile {
  return {
    kind: 'late-pdf',
    expectation: createText('file.latePdfHeader', { count }),
  };
}

function createUnusable(expectation: ErrorText): JudgedFile {
  return { kind: 'unusable', expectation };
}
