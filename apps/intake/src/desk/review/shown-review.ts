import { createText } from '@rubrica/contracts/error-texts/create-text';
import { renderEnglish } from '@rubrica/contracts/error-texts/render-text';
import type { RowGuard } from '@rubrica/database';
import { type Decision, digestObservations } from '../../requests/request/registered/decision.ts';
import { isAuthentic, type StoredRegistration } from '../../requests/request/registered/registered-data.ts';
import type { RequestHistory } from '../../requests/request/registered/request-history.ts';
import type { Observation, Request } from '../../requests/request/request.entity.ts';

interface Waiting extends Pick<Request, 'reviewReason' | 'observations'> {
  readonly id: string;
  readonly stored: StoredRegistration;
  readonly history: RequestHistory;
}

type Shown = Pick<Request, 'reviewReason'> & { readonly observations: readonly Observation[] };

/**
 * Reason and observations for the reviewer as the checks left them, or else a warning, with an alarm. A decision of the
 * release before says nothing of them.
 */
export function shownReview(
  { id, stored, history, reviewReason, observations }: Waiting,
  { now, rows }: { readonly now: Date; readonly rows: Pick<RowGuard, 'isIntact' | 'reportFailed'> },
): Shown {
  const isOwn = isAuthentic(rows, stored, history);
  const decision = isOwn ? (stored.decision as Decision | null) : null;
  const known = decision?.outcome === 'REVIEW' ? decision : undefined;
  const reason = known?.review?.reason ?? reviewReason;
  const digest = known?.observationsSha256;
  const isChanged = digest !== undefined && digest !== digestObservations(observations);
  if (!isChanged && reason === reviewReason)
    return { reviewReason: reason, observations: isOwn ? observations : [notShown(now)] };
  rows.reportFailed({ table: 'request', id });
  return { reviewReason: reason, observations: isChanged ? [notShown(now)] : observations };
}

function notShown(now: Date): Observation {
  const text = createText('operator.observationsTampered');
  return {
    type: 'WARNING',
    code: 'NOT_AUTHENTIC',
    message: renderEnglish(text),
    text,
    createdDate: now.toISOString(),
  };
}
