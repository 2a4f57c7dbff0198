import { createCatalogueText, createFieldText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import { renderEnglish } from '@rubrica/contracts/error-texts/render-text';
import { type ErrorCode, type ErrorDetail, errorCatalogue } from '@rubrica/contracts/shared/errors';
import { AppError } from './app-error.ts';

const maxFieldLength = 200;
const maxMessageLength = 1_000;

/**
 * Creates one fault in the catalogue's terms, no longer than the contract allows.
 * @param text states what was sent and what to do; default: the catalogue's text
 */
export function errorDetail(code: ErrorCode, field?: string, text?: ErrorText): ErrorDetail {
  const { correctable, retryable } = errorCatalogue[code];
  const shown = text ?? createCatalogueText(code);
  return {
    code,
    ...(field === undefined ? {} : { field: field.slice(0, maxFieldLength) }),
    message: renderEnglish(shown).slice(0, maxMessageLength),
    text: shown,
    correctable,
    retryable,
  };
}

/**
 * Creates a fault of one field.
 * @param fault continuation of the field's name: `must be a list`. It never quotes a person's input
 */
export function fieldFault(code: ErrorCode, field: string, fault: ErrorText): ErrorDetail {
  return errorDetail(code, field, createFieldText(field, fault));
}

/**
 * Creates the refusal of a call for one of its fields, with FIELD_INVALID unless another code is more precise.
 * @param text complete sentence: what was sent, and what to do
 */
export function invalidField(
  field: string,
  text: ErrorText,
  { code = 'FIELD_INVALID', cause }: { readonly code?: ErrorCode; readonly cause?: unknown } = {},
): AppError {
  return new AppError({ code, text, details: [errorDetail(code, field, text)], cause });
}
