import { AppError } from '@rubrica/process';
import type { ActiveTerms } from '../request/terms-acceptance.ts';

/**
 * Returns the terms in force; without them there is nothing to accept, and so nothing to claim.
 * @throws AppError NO_ACTIVE_TERMS
 */
export function requireTerms(active: ActiveTerms | null): ActiveTerms {
  if (active === null) throw new AppError({ code: 'NO_ACTIVE_TERMS' });
  return active;
}

/**
 * Returns the terms in force once the applicant has accepted them.
 * @throws AppError NO_ACTIVE_TERMS, TERMS_NOT_ACCEPTED, or TERMS_OUTDATED if others came into force after the
 *   page was built
 */
export function requireAcceptedTerms(active: ActiveTerms | null, acceptedId: string | null): ActiveTerms {
  const terms = requireTerms(active);
  if (terms.id === acceptedId) return terms;
  throw new AppError({ code: acceptedId === null ? 'TERMS_NOT_ACCEPTED' : 'TERMS_OUTDATED' });
}
