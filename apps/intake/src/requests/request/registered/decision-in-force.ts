import type { RowGuard } from '@rubrica/database/guarded';
import { needsClaim } from '../approval-trigger.ts';
import type { Decision } from './decision.ts';
import { isAuthentic, type StoredRegistration, toRegistered } from './registered-data.ts';
import type { RequestHistory } from './request-history.ts';

/** Returns the decision on which a request now rests; null, with an alarm, if it has none of that outcome. */
export function findDecisionInForce(
  rows: Pick<RowGuard, 'isIntact' | 'reportFailed'>,
  stored: StoredRegistration,
  {
    history,
    outcome = 'PASSED',
  }: { readonly history: RequestHistory; readonly outcome?: Decision['outcome'] },
): Decision | null {
  if (!isAuthentic(rows, stored, history)) return null;
  const decision = stored.decision as Decision | null;
  const holds =
    decision !== null &&
    decision.outcome === outcome &&
    decision.attempt === stored.validation_attempt &&
    decision.evidenceSha256 === stored.evidence_sha256 &&
    decision.failures === history.failures &&
    history.ended === 0;
  if (!holds) rows.reportFailed({ table: 'request', id: String(stored.id) });
  return holds ? decision : null;
}

/**
 * Returns the decision on which a certificate may be issued: the checks have passed, and the applicant has
 * claimed it if a claim is needed. Null, with an alarm, if there is none.
 */
export function findIssuanceDecision(
  rows: Pick<RowGuard, 'isIntact' | 'reportFailed'>,
  stored: StoredRegistration,
  history: RequestHistory,
): Decision | null {
  const decision = findDecisionInForce(rows, stored, { history });
  if (decision === null) return null;
  const { passwordOrigin, claimedAtRegistration } = toRegistered(stored);
  if (!needsClaim({ passwordOrigin, claimedAtRegistration }) || decision.isClaimed) return decision;
  rows.reportFailed({ table: 'request', id: String(stored.id) });
  return null;
}
