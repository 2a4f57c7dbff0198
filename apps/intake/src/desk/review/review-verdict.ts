import { createCatalogueText, createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import type { ErrorCode } from '@rubrica/contracts/shared/errors';

function toTexts(codes: readonly ErrorCode[]): readonly ErrorText[] {
  return [...new Set(codes)].map(createCatalogueText);
}

/**
 * Builds the text of a rejection for the partner. It says that a person rejected the request, with the
 * catalogue's texts of the findings, never the reviewer's own.
 */
export function createRejectionText(codes: readonly ErrorCode[]): ErrorText {
  const found = codes.filter((code) => code !== 'REVIEW_REJECTED');
  const rejected = createCatalogueText('REVIEW_REJECTED');
  return found.length === 0 ? rejected : createText('request.reviewRejected', { reasons: toTexts(found) });
}

/** Builds the text that tells the partner what to correct. */
export function createCorrectionText(codes: readonly ErrorCode[]): ErrorText {
  return createText('request.clauses', { texts: toTexts(codes) });
}
