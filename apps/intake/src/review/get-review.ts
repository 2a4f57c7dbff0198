import type { OperatorOutput } from '@rubrica/contracts/operators/procedures';
import { statement } from '@rubrica/database';
import { AppError } from '@rubrica/process';
import type { OperatorUseCase } from '@rubrica/wiring';
import type { IntakeDeps } from '../context.ts';
import { timelineOf } from '../operators/request-timeline.ts';
import { mayReviewSql } from '../operators/standing.ts';
import type { Request } from '../request/request.entity.ts';
import { maySeeApplicant } from './may-see-applicant.ts';
import { presentAt } from './presence.ts';
import { reviewColumns, type StoredReview, toReviewRow } from './review-row.ts';
import { isAuthentic, type StoredApproval, storedApprovalSql } from './stored-approval.ts';

type Review = OperatorOutput<'reviews.get'>;

interface FoundReview
  extends StoredReview,
    Pick<Request, 'applicationType' | 'certificateType' | 'period' | 'details' | 'validationAttempt'> {
  readonly evidence: NonNullable<Review['evidence']>;
  readonly approvalLog: readonly (Review['approvalLog'][number] & { readonly stored: StoredApproval })[];
}

const find = statement<{ readonly requestId: string }, FoundReview>({
  name: 'get-review',
  sql: `
select ${reviewColumns}, application_type as "applicationType",
  certificate_type as "certificateType", period, details, validation_attempt as "validationAttempt",
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

function noReview(): AppError {
  return new AppError({
    code: 'REQUEST_NOT_FOUND',
    publicMessage: 'There is no such request, or it never waited for a review',
  });
}

function applicantOf(review: FoundReview): Review['applicant'] {
  const { applicationType, certificateType, period, details } = review;
  return { applicationType, certificateType, period, details };
}

type GetReview = OperatorUseCase<'reviews.get'>;

/** @throws AppError REQUEST_NOT_FOUND */
export function createGetReview(deps: Pick<IntakeDeps, 'database' | 'clock' | 'rows'>): GetReview {
  return async ({ requestId }, { caller }) => {
    const [row] = await find.run(deps.database, { requestId });
    if (!row) throw noReview();
    const { status, validationStatus } = row;
    const isOpen = maySeeApplicant(caller.role, { status, validationStatus });
    return {
      ...toReviewRow(row, { now: deps.clock(), rows: deps.rows }),
      applicant: isOpen ? applicantOf(row) : null,
      evidence: isOpen ? row.evidence : null,
      approvalLog: row.approvalLog.map(({ stored, ...approval }) => ({
        ...approval,
        at: new Date(approval.at).toISOString(),
        counts:
          approval.counts &&
          approval.validationAttempt === row.validationAttempt &&
          isAuthentic(stored, deps.rows),
      })),
      timeline: await timelineOf(deps, requestId),
      openedBy: await presentAt(deps, requestId),
    };
  };
}
