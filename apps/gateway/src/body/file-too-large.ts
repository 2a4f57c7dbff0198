import type { ErrorDetail } from '@rubrica/contracts/shared/errors';
import { AppError } from '@rubrica/process';
import { fieldFault } from '../fields/field-fault.ts';

/** @param place of the field, such as `evidences[0].evidenceFile` */
export function fileTooLarge(place: string, maxBytes: number): ErrorDetail {
  return fieldFault(
    'FILE_TOO_LARGE',
    place,
    `is larger than the ${maxBytes / 1_000_000} MB that are allowed`,
  );
}

/** Its 413 goes before any 400. */
export function filesTooLarge(details: readonly ErrorDetail[]): AppError {
  return new AppError({ code: 'FILE_TOO_LARGE', details });
}
