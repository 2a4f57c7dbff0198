import { createCatalogueText, createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import type { ErrorCode } from '@rubrica/contracts/shared/errors';

function toTexts(codes: readonly ErrorCode[]): readonly ErrorText[] {
  return [...new Set(codes)].map(createCatalogueText);
}

/**
 * What the partner is told of a rejection: that a person rejected it, and the catalogue's texts for what was found,
 * never the reviewer's own.
 */
export function createRejectionText(codes: readonly ErrorCode[]): ErrorText {
  const found = codes.filter((code) => code !== 'REVIEW_REJECTED');
  const rejected = createCatalogueText('REVIEW_REJECTED');
  return found.length === 0 ? rejected : createText('request.reviewRejected', { reasons: toTexts(found) });
}

/** What the partner is told to have mended. */
export function createCorrectionText(codes: readonly ErrorCode[]): ErrorText {
  return createText('request.clauses', { texts: toTexts(codes) });
}
