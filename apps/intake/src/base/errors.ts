import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { Status } from '@rubrica/contracts/shared/enumerations';
import { type ErrorDetail, errorCatalogue } from '@rubrica/contracts/shared/errors';
import { AppError } from '@rubrica/process/errors';

export function stateNotAllowed(status: Status): AppError {
  return new AppError({
    code: 'REQUEST_STATE_NOT_ALLOWED',
    text: createText('request.stateNotAllowed', { status }),
  });
}

export function requestNotFound(): AppError {
  return new AppError({ code: 'REQUEST_NOT_FOUND' });
}

function leadingFault(details: readonly ErrorDetail[]): ErrorDetail {
  // A 400 fault outweighs a 412 fault; among equals the first one found wins.
  const [fault] = details.toSorted((a, b) => errorCatalogue[a.code].http - errorCatalogue[b.code].http);
  if (!fault) throw new TypeError('a refusal needs at least one fault');
  return fault;
}

/** Builds one error from all the faults of a body. */
export function refuseBody(details: readonly ErrorDetail[]): AppError {
  const { code, text, message } = leadingFault(details);
  return new AppError({ code, text, publicMessage: message, details: [...details] });
}
