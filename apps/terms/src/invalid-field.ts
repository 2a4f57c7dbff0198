import { AppError } from '@rubrica/process';

/** The refusal of one field, in words for the person who sent it. */
export function invalidField(field: string, message: string): AppError {
  return new AppError({
    code: 'FIELD_INVALID',
    publicMessage: message,
    details: [{ code: 'FIELD_INVALID', field, message, correctable: true, retryable: false }],
  });
}
