import type { TermsRecord, TermsType } from '@rubrica/contracts/shared/terms';
import { AppError } from '@rubrica/process';
import type { Peers } from '@rubrica/wiring';
import type { DependentInsert } from './one-statement.ts';

/** A version of the terms; null where the type has none in force. */
export type Terms = Pick<TermsRecord, 'id' | 'version'> | null;

/**
 * The terms in force now.
 * @throws AppError SERVICE_UNAVAILABLE where the terms service does not answer
 */
export async function findActiveTerms(
  peers: Pick<Peers<'intake'>, 'terms'>,
  type: TermsType,
): Promise<Terms> {
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

/** What proves an acceptance: which version, when, and from where. */
export function acceptanceOf(
  requestId: string,
  terms: NonNullable<Terms>,
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
