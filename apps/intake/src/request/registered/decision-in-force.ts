import type { RowGuard } from '@rubrica/database';
import type { Decision } from './decision.ts';
import { isAuthentic, type StoredRegistration } from './registered-data.ts';
import type { RequestHistory } from './request-history.ts';

/** The decision that a request rests on now; null, with an alarm, where it has none of that outcome. */
export function decisionInForce(
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
    decision.failures === history.failures &&
    history.ended === 0;
  if (!holds) rows.reportFailed({ table: 'request', id: String(stored.id) });
  return holds ? decision : null;
}
