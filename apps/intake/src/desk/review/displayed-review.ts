import { createText } from '@rubrica/contracts/error-texts/create-text';
import { renderEnglish } from '@rubrica/contracts/error-texts/render-text';
import type { RowGuard } from '@rubrica/database/guarded';
import { type Decision, digestObservations } from '../../requests/request/registered/decision.ts';
import { isAuthentic, type StoredRegistration } from '../../requests/request/registered/registered-data.ts';
import type { RequestHistory } from '../../requests/request/registered/request-history.ts';
import type { Observation, Request } from '../../requests/request/request.entity.ts';

interface WaitingReview extends Pick<Request, 'reviewReason' | 'observations'> {
  readonly id: string;
  readonly stored: StoredRegistration;
  readonly history: RequestHistory;
}

type ReviewDisplay = Pick<Request, 'reviewReason'> & { readonly observations: readonly Observation[] };

/**
 * Returns reason and observations as the checks left them, or else a warning, with an alarm. A decision of
 * the previous release does not cover them.
 */
export function toDisplayedReview(
  { id, stored, history, reviewReason, observations }: WaitingReview,
  { now, rows }: { readonly now: Date; readonly rows: Pick<RowGuard, 'isIntact' | 'reportFailed'> },
): ReviewDisplay {
  const isAuthenticRow = isAuthentic(rows, stored, history);
  const decision = isAuthenticRow ? (stored.decision as Decision | null) : null;
  const reviewDecision = decision?.outcome === 'REVIEW' ? decision : undefined;
  const reason = reviewDecision?.review?.reason ?? reviewReason;
  const digest = reviewDecision?.observationsSha256;
  const isChanged = digest !== undefined && digest !== digestObservations(observations);
  if (!isChanged && reason === reviewReason)
    return { reviewReason: reason, observations: isAuthenticRow ? observations : [createTamperWarning(now)] };
  rows.reportFailed({ table: 'request', id });
  return { reviewReason: reason, observations: isChanged ? [createTamperWarning(now)] : observations };
}

function createTamperWarning(now: Date): Observation {
  const text = createText('operator.observationsTampered');
  return {
    type: 'WARNING',
    code: 'NOT_AUTHENTIC',
    message: renderEnglish(text),
    text,
    createdDate: now.toISOString(),
  };
}
