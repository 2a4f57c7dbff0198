import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { Status } from '@rubrica/contracts/shared/enumerations';
import { type ErrorDetail, errorCatalogue } from '@rubrica/contracts/shared/errors';
import { AppError } from '@rubrica/process';

export function stateNotAllowed(status: Status): AppError {
  return new AppError({
    code: 'REQUEST_STATE_NOT_ALLOWED',
    text: createText('request.stateNotAllowed', { status }),
  });
}

export function requestNotFound(): AppError {
  return new AppError({ code: 'REQUEST_NOT_FOUND' });
}

function first(details: readonly ErrorDetail[]): ErrorDetail {
  // A fault of 400 outweighs one of 412; among equals the first that was found speaks.
  const [one] = details.toSorted((a, b) => errorCatalogue[a.code].http - errorCatalogue[b.code].http);
  if (!one) throw new TypeError('a refusal needs at least one fault');
  return one;
}

/** One answer for all the faults of a body. */
export function refuseBody(details: readonly ErrorDetail[]): AppError {
  const { code, text, message } = first(details);
  return new AppError({ code, text, publicMessage: message, details: [...details] });
}
