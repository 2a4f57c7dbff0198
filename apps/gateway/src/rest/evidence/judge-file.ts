import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import type { ErrorDetail } from '@rubrica/contracts/shared/errors';
import type { FileValue } from '../../body/body.ts';
import { fileTooLarge } from '../../body/file-too-large.ts';
import type { FileLimits } from '../../body/files/file-limits.ts';
import type { SealedFile } from '../../body/files/seal-files.ts';
import { invalidField } from '../../fields/field-fault.ts';

/** What was found in a file field. Each family decides what follows from it. */
export type JudgedFile =
  | { readonly kind: 'file'; readonly file: SealedFile }
  /** 413, before any 400. */
  | { readonly kind: 'too-large'; readonly fault: ErrorDetail }
  /** Neither text nor an array: 400 everywhere. */
  | { readonly kind: 'not-a-file'; readonly fault: ErrorDetail }
  /** A PDF with too much before its header. */
  | { readonly kind: 'late-pdf'; readonly expectation: ErrorText }
  /** No base64, no bytes, or of a type that is not taken. */
  | { readonly kind: 'unusable'; readonly expectation: ErrorText };

/** @param place of the field, such as `evidences[0].evidenceFile` */
export function judgeFile(value: FileValue, place: string, limits: FileLimits): JudgedFile {
  switch (value.kind) {
    case 'not-a-file':
      return {
        kind: 'not-a-file',
        fault: invalidField(place, createText('file.notBytes')),
      };
    case 'too-large':
      return { kind: 'too-large', fault: fileTooLarge(place, Math.max(...Object.values(limits))) };
    case 'undecodable':
      return unusable(createText('file.undecodable'));
    case 'file': {
      const { type, size, octetsBeforePdf } = value.file;
      if (type === undefined && octetsBeforePdf !== undefined) return latePdf(octetsBeforePdf);
      if (type === undefined) {
        return unusable(createText('file.ofAnyKind'));
      }
      const limit = limits[type.fileClass];
      if (size > limit) return { kind: 'too-large', fault: fileTooLarge(place, limit) };
      return { kind: 'file', file: value.file };
    }
  }
}

function latePdf(count: number): JudgedFile {
  return {
    kind: 'late-pdf',
    expectation: createText('file.latePdfHeader', { count }),
  };
}

function unusable(expectation: ErrorText): JudgedFile {
  return { kind: 'unusable', expectation };
}
