import type { ErrorDetail } from '@rubrica/contracts/shared/errors';
import { AppError } from '@rubrica/process';
import { detail } from '../http/error-object.ts';

/** @param place of the field, such as `evidences[0].evidenceFile` */
export function fileTooLarge(place: string, maxBytes: number): ErrorDetail {
  const message = `${place} is larger than the ${maxBytes / 1_000_000} MB that are allowed`;
  return detail('FILE_TOO_LARGE', place, message);
}

/** Its 413 goes before any 400. */
export const filesTooLarge = (details: readonly ErrorDetail[]): AppError =>
  new AppError({ code: 'FILE_TOO_LARGE', details });
