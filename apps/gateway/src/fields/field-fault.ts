import { say } from '@rubrica/contracts/error-texts/say';
import type { ErrorCode, ErrorDetail } from '@rubrica/contracts/shared/errors';
import { errorDetail } from '@rubrica/process';

/**
 * A fault of one field, in the caller's words.
 * @param expectation follows the field's name: `must be a list`. It never quotes what a person typed
 */
export function fieldFault(code: ErrorCode, field: string, expectation: string): ErrorDetail {
  return errorDetail(code, field, `${field} ${expectation}`);
}

export function invalidField(field: string, expectation: string): ErrorDetail {
  return fieldFault('FIELD_INVALID', field, expectation);
}

export function missingField(field: string, code: ErrorCode = 'FIELD_REQUIRED'): ErrorDetail {
  return fieldFault(code, field, say('is required'));
}
