import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorDetail } from '@rubrica/contracts/shared/errors';
import { AppError, fieldFault } from '@rubrica/process';

/**
 * Creates the fault of a file that is too large.
 * @param place path of the field, such as `evidences[0].evidenceFile`
 */
export function createFileTooLarge(place: string, maxBytes: number): ErrorDetail {
  return fieldFault('FILE_TOO_LARGE', place, createText('file.tooLarge', { count: maxBytes / 1_000_000 }));
}

/** Creates the error for files that are too large. Its 413 precedes any 400. */
export function createFilesTooLarge(details: readonly ErrorDetail[]): AppError {
  return new AppError({ code: 'FILE_TOO_LARGE', details });
}
