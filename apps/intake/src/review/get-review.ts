import type { OperatorOutput } from '@rubrica/contracts/operators/procedures';
import type { ApplicationType, CertificateType, Period } from '@rubrica/contracts/shared/enumerations';
import { AppError } from '@rubrica/process';
import type { OperatorUseCase } from '@rubrica/wiring';
import type { IntakeDeps } from '../context.ts';
import { timelineOf } from '../operators/request-timeline.ts';
import type { Details } from '../request/request.entity.ts';
import { maySeeApplicant } from './may-see-applicant.ts';
import { reviewColumns, type StoredReview, toReviewRow } from './review-row.ts';

type Review = OperatorOutput<'reviews.get'>;

interface Row extends StoredReview {
  readonly application_type: ApplicationType;
  readonly certificate_type: CertificateType;
  readonly period: Period;
  readonly details: Details;
  readonly validation_attempt: number;
  readonly evidence: NonNullable<Review['evidence']>;
  readonly approval_log: (Omit<Review['approvalLog'][number], 'counts'> & { at: string })[];
}

const text = `
select ${reviewColumns}, application_type, certificate_type, period, details, validation_attempt,
  coalesce((select jsonb_agg(jsonb_build_object('evidenceId', id, 'field', field, 'evidenceType', evidence_type,
      'mediaType', media_type, 'size', size, 'sha256', sha256, 'validatorUrl', validator_url) order by position)
    from evidence where evidence.request_id = request.id), '[]') as evidence,
  coalesce((select jsonb_agg(jsonb_build_object('operator', operator.email, 'at', at, 'validationAttempt', attempt,
      'comment', comment) order by at)
    from review_approval join operator on operator.id = operator_id
    where review_approval.request_id = request.id), '[]') as approval_log
from request where request.id = $1
  and exists (select 1 from timeline where timeline.request_id = request.id and trigger = 'askForReview')`;

function noReview(): AppError {
  return new AppError({
    code: 'REQUEST_NOT_FOUND',
    publicMessage: 'There is no such request, or it never waited for a review',
  });
}

function applicantOf({ application_type, certificate_type, period, details }: Row): Review['applicant'] {
  return {
    applicationType: application_type,
    certificateType: certificate_type,
    period,
    details,
  };
}

type GetReview = OperatorUseCase<'reviews.get'>;

/** @throws AppError REQUEST_NOT_FOUND */
export function createGetReview(deps: Pick<IntakeDeps, 'database' | 'clock'>): GetReview {
  return async ({ requestId }, { caller }) => {
    const [row] = await deps.database.statement<Row>({ name: 'get-review', text, params: [requestId] });
    if (!row) throw noReview();
    const { status, validation_status: validationStatus } = row;
    const isOpen = maySeeApplicant(caller.role, { status, validationStatus });
    return {
      ...toReviewRow(row, deps.clock()),
      applicant: isOpen ? applicantOf(row) : null,
      evidence: isOpen ? row.evidence : null,
      approvalLog: row.approval_log.map((approval) => ({
        ...approval,
        at: new Date(approval.at).toISOString(),
        counts: approval.validationAttempt === row.validation_attempt,
      })),
      timeline: await timelineOf(deps, requestId),
    };
  };
}
