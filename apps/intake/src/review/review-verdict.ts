import { say } from '@rubrica/contracts/error-texts/say';
import { type ErrorCode, errorCatalogue } from '@rubrica/contracts/shared/errors';

function textsOf(codes: readonly ErrorCode[]): string {
  return [...new Set(codes)].map((code) => errorCatalogue[code].en).join('; ');
}

/**
 * What the partner is told of a rejection: that a person rejected it, and the catalogue's texts for what was found,
 * never the reviewer's own.
 */
export function rejectionMessage(codes: readonly ErrorCode[]): string {
  const found = codes.filter((code) => code !== 'REVIEW_REJECTED');
  const rejected = errorCatalogue.REVIEW_REJECTED.en;
  return found.length === 0
    ? rejected
    : say('The review rejected the request: {reasons}', { reasons: textsOf(found) });
}

/** What the partner is told to have mended. */
export function correctionMessage(codes: readonly ErrorCode[]): string {
  return textsOf(codes);
}
