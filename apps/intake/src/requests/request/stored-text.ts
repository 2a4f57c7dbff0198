import { createCatalogueText, createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import { renderText } from '@rubrica/contracts/error-texts/render-text';
import type { Evidence, Request } from './request.entity.ts';

/**
 * Finds the text of a stored message. A copy of the previous release writes the message alone and leaves the
 * text of an earlier error. The text counts only if the message is its English rendering.
 */
export function findStoredText(message: string | null, text: ErrorText | null): ErrorText | undefined {
  return text !== null && renderText(text, 'en') === message ? text : undefined;
}

/** Reads why a request is in error, as a fact of another text. */
export function readErrorText({
  errorMessage,
  errorText,
}: Pick<Request, 'errorMessage' | 'errorText'>): ErrorText {
  if (errorMessage === null) return createCatalogueText('INTERNAL_ERROR');
  return findStoredText(errorMessage, errorText) ?? createText('request.verbatim', { message: errorMessage });
}

/** Reads why an evidence was refused. */
export function readEvidenceText({ error, errorText }: Pick<Evidence, 'error' | 'errorText'>): ErrorText {
  if (error === null) return createText('file.unreadable');
  return findStoredText(error, errorText) ?? createText('request.verbatim', { message: error });
}

/**
 * Returns SQL of the evidence that was refused, in its order.
 * @param id SQL expression of the request's id, never input
 */
export function evidenceErrorsSql(id: string): string {
  return `(select coalesce(jsonb_agg(jsonb_build_object('error', error, 'errorText', error_text) order by position), '[]')
    from evidence where evidence.request_id = ${id} and error is not null)`;
}
