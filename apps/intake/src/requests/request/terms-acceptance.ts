import type { TermsRecord, TermsType } from '@rubrica/contracts/shared/terms';
import { AppError } from '@rubrica/process';
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
