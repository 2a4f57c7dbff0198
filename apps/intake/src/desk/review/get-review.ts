import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { OperatorOutput } from '@rubrica/contracts/operators/procedures';
import type { RowGuard } from '@rubrica/database/guarded';
import { statement } from '@rubrica/database/statement';
import { AppError } from '@rubrica/process/errors';
import type { OperatorUseCase } from '@rubrica/wiring';
import { mayReviewSql } from '../../access/operators/assert-current-role.ts';
import {
  digestEvidence,
  type EvidenceOutline,
  outlinesSql,
} from '../../requests/request/registered/evidence-outline.ts';
import {
  isAuthentic as isRegistered,
  notAuthentic,
} from '../../requests/request/registered/registered-data.ts';
import type { Request } from '../../requests/request/request.entity.ts';
import { findProvenEntries } from '../../requests/request/timeline-mac.ts';
import { wasErasedSql } from '../../requests/request/was-erased-sql.ts';
import type { DeskDeps } from '../deps.ts';
import { readTimeline } from '../search/read-timeline.ts';
import { canSeeApplicant } from './can-see-applicant.ts';
import { listPresent } from './presence.ts';
import { computeReviewDigest } from './review-digest.ts';
import { isWaiting, reviewColumns, type StoredReview, toReviewRow } from './review-row.ts';
import { isAuthentic, type StoredApproval, storedApprovalSql } from './stored-approval.ts';

type Review = OperatorOutput<'reviews.get'>;

interface FoundReview
  extends StoredReview,
    Pick<Request, 'applicationType' | 'certificateType' | 'period' | 'details' | 'validationAttempt'> {
  readonly evidence: NonNullable<Review['evidence']>;
  readonly approvalLog: readonly (Review['approvalLog'][number] & { readonly stored: StoredApproval })[];
  readonly isErased: boolean;
  readonly outlines: readonly EvidenceOutline[];
}

const find = statement<{ readonly requestId: string }, FoundReview>({
  name: 'get-review',
  sql: `
select ${reviewColumns}, application_type as "applicationType",
  certificate_type as "certificateType", period, details, validation_attempt as "validationAttempt",
  ${wasErasedSql('request')} as "isErased",
  ${outlinesSql('request.id')} as outlines,
  coalesce((select jsonb_agg(jsonb_build_object('evidenceId', id, 'field', field, 'evidenceType', evidence_type,
      'mediaType', media_type, 'size', size, 'sha256', sha256, 'validatorUrl', validator_url) order by position)
    from evidence where evidence.request_id = request.id), '[]') as evidence,
  coalesce((select jsonb_agg(jsonb_build_object('operator', operator.email, 'at', at, 'validationAttempt', attempt,
      'comment', comment, 'counts', ${mayReviewSql}, 'stored', ${storedApprovalSql}) order by at)
    from review_approval join operator on operator.id = operator_id
    where review_approval.request_id = request.id), '[]') as "approvalLog"
from request where request.id = :requestId
  and exists (select 1 from timeline where timeline.request_id = request.id and trigger = 'askForReview')`,
});

function reviewNotFound(): AppError {
  return new AppError({
    code: 'REQUEST_NOT_FOUND',
    text: createText('operator.reviewNotFound'),
  });
}

function pickApplicant(review: FoundReview): Review['applicant'] {
  const { applicationType, certificateType, period, details } = review;
  return { applicationType, certificateType, period, details };
}

/**
 * Verifies that the reviewer sees what was registered, evidence included, because the approval rests on it.
 * An erasure leaves nothing to verify, and none comes before the end.
 * @throws AppError REQUEST_STATE_NOT_ALLOWED, with an alarm
 */
function verifyShown(row: FoundReview, rows: Pick<RowGuard, 'isIntact' | 'reportFailed'>): void {
  if (row.isErased && !isWaiting(row)) return;
  if (!isRegistered(rows, row.stored, row.history)) throw notAuthentic();
  if (digestEvidence(row.outlines) === (row.stored.evidence_sha256 ?? null)) return;
  rows.reportFailed({ table: 'request', id: row.id });
  throw notAuthentic();
}

type GetReview = OperatorUseCase<'reviews.get'>;

/** @throws AppError REQUEST_NOT_FOUND, REQUEST_STATE_NOT_ALLOWED */
export function createGetReview(deps: Pick<DeskDeps, 'database' | 'clock' | 'rows'>): GetReview {
  return async ({ requestId }, { caller }) => {
    const [row] = await find.run(deps.database, { requestId });
    if (!row) throw reviewNotFound();
    const { status, validationStatus } = row;
    const proven = await findProvenEntries(deps.database, deps.rows, requestId);
    const isOpen = canSeeApplicant(caller.role, { status, validationStatus });
    if (isOpen) verifyShown(row, deps.rows);
    return {
      ...toReviewRow(row, { now: deps.clock(), rows: deps.rows }),
      // No record proves the data of an erased request.
      applicant: isOpen && !row.isErased ? pickApplicant(row) : null,
      evidence: isOpen ? row.evidence : null,
      approvalLog: row.approvalLog.map(({ stored, ...approval }) => ({
        ...approval,
        // The timeline proves the comment; the column of the approval proves nothing.
        comment: proven.reasonOf(`operator:${approval.operator}`, approval.at),
        at: new Date(approval.at).toISOString(),
        counts:
          approval.counts &&
          approval.validationAttempt === row.validationAttempt &&
          isAuthentic(stored, deps.rows),
      })),
      timeline: await readTimeline(deps, requestId, proven),
      openedBy: await listPresent(deps, requestId),
      shownSha256: isOpen ? computeReviewDigest(row) : null,
    };
  };
}
