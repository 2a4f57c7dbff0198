import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import type { ErrorCode, ErrorDetail } from '@rubrica/contracts/shared/errors';
import { fieldFault } from '@rubrica/process';

export function invalidField(field: string, fault: ErrorText): ErrorDetail {
  return fieldFault('FIELD_INVALID', field, fault);
}

export function missingField(field: string, code: ErrorCode = 'FIELD_REQUIRED'): ErrorDetail {
  return fieldFault(code, field, createText('field.required'));
}
