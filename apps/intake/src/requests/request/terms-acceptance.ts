import type { TermsRecord, TermsType } from '@rubrica/contracts/shared/terms';
import { AppError } from '@rubrica/process/errors';
import type { Peers } from '@rubrica/wiring';
import type { DependentInsert } from './one-statement.ts';

/** Version of the terms in force. */
export type ActiveTerms = Pick<TermsRecord, 'id' | 'version'>;

/**
 * Finds the terms in force; null if the type has none.
 * @throws AppError SERVICE_UNAVAILABLE if the terms service does not answer
 */
export async function findActiveTerms(
  peers: Pick<Peers<'intake'>, 'terms'>,
  type: TermsType,
): Promise<ActiveTerms | null> {
  try {
    return await peers.terms['terms.active']({ type });
  } catch (error) {
    if (error instanceof AppError && error.code === 'NO_ACTIVE_TERMS') return null;
    throw error;
  }
}

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

export interface Acceptance {
  readonly at: Date;
  readonly language: string;
  readonly remoteAddress: string | null;
  readonly userAgent: string | null;
}

/** Returns the proof of an acceptance: which version, when, and from where. */
export function toAcceptanceInsert(
  requestId: string,
  terms: ActiveTerms,
  { at, language, remoteAddress, userAgent }: Acceptance,
): DependentInsert {
  const row = {
    request_id: requestId,
    terms_id: terms.id,
    terms_version: terms.version,
    at,
    language,
    remote_address: remoteAddress,
    user_agent: userAgent,
  };
  return { table: 'terms_acceptance', rows: [row] };
}
