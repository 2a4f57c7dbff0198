import { type ErrorCode, type ErrorDetail, errorCatalogue } from '@rubrica/contracts/shared/errors';
import { AppError } from './app-error.ts';

const maxFieldLength = 200;
const maxMessageLength = 1_000;

/**
 * One fault in the catalogue's terms, no longer than the contract allows.
 * @param message in the user's words: what was given, and what to do; the catalogue's text without it
 */
export function errorDetail(code: ErrorCode, field?: string, message?: string): ErrorDetail {
  const { correctable, retryable, en } = errorCatalogue[code];
  return {
    code,
    ...(field === undefined ? {} : { field: field.slice(0, maxFieldLength) }),
    message: (message ?? en).slice(0, maxMessageLength),
    correctable,
    retryable,
  };
}

/**
 * The refusal of a call for one of its fields: FIELD_INVALID unless another code says more.
 *
 * @param message in the user's words: what was given, and what to do
 */
export function invalidField(
  field: string,
  message: string,
  { code = 'FIELD_INVALID', cause }: { readonly code?: ErrorCode; readonly cause?: unknown } = {},
): AppError {
  return new AppError({
    code,
    publicMessage: message,
    details: [errorDetail(code, field, message)],
    cause,
  });
}
