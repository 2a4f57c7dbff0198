import { type ErrorCode, errorCatalogue } from '@rubrica/contracts/shared/errors';
import { AppError } from './app-error.ts';

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
  const { correctable, retryable } = errorCatalogue[code];
  const details = [{ code, field, message, correctable, retryable }];
  return new AppError({ code, publicMessage: message, details, cause });
}
