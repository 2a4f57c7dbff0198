import { AppError } from '@rubrica/process';
import type { Terms } from '../request/terms-acceptance.ts';

/**
 * Whether the applicant accepted the terms in force.
 * @throws AppError TERMS_NOT_ACCEPTED, or TERMS_OUTDATED where others came into force since the page was made
 */
export function checkTerms(active: Terms, acceptedId: string | null): void {
  if ((active?.id ?? null) === acceptedId) return;
  throw new AppError({ code: acceptedId === null ? 'TERMS_NOT_ACCEPTED' : 'TERMS_OUTDATED' });
}
