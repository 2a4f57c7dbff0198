import type { OperatorOutput } from '@rubrica/contracts/operators/procedures';
import type { Family, Status, ValidationStatus } from '@rubrica/contracts/shared/enumerations';
import type { NeededReview, WaitingPolicy } from '../request/needed-review.ts';
import type { Observation } from '../request/request.entity.ts';
import { approvalsNeeded } from './judge-approval.ts';

export type ReviewRow = OperatorOutput<'reviews.queue'>['items'][number];

export interface StoredReview {
  readonly id: string;
  readonly family: Family;
  readonly partner_id: string;
  readonly reference_transaction: string;
  readonly identification_number: string;
  readonly status: Status;
  readonly validation_status: ValidationStatus;
  readonly created_at: string;
  readonly updated_at: string;
  readonly review_policy: WaitingPolicy;
  readonly review_reason: NeededReview['reason'];
  readonly review_since: string;
  readonly observations: Observation[];
  readonly assigned_to: string | null;
  readonly approvals: number;
}

/** Reads as `StoredReview`. */
export const reviewColumns = `
  request.id, family, partner_id, reference_transaction, identification_number, status, validation_status,
  request.created_at, request.updated_at, review_policy, review_reason, review_since, observations,
  (select email from operator where operator.id = review_assigned_to) as assigned_to,
  (select count(*)::int from review_approval
    where review_approval.request_id = request.id and attempt = validation_attempt) as approvals`;

/** What waits for a reviewer; the same text as in the queue's index. */
export const isWaitingSql = `status = 'VALIDATING' and validation_status = 'MANUALLY_VALIDATING'`;

export function isWaiting(request: { status: Status; validationStatus: ValidationStatus }): boolean {
  return request.status === 'VALIDATING' && request.validationStatus === 'MANUALLY_VALIDATING';
}

function iso(instant: string): string {
  return new Date(instant).toISOString();
}

export function toReviewRow(row: StoredReview, now: Date): ReviewRow {
  return {
    requestId: row.id,
    family: row.family,
    partnerId: row.partner_id,
    referenceTransaction: row.reference_transaction,
    identificationNumber: row.identification_number,
    status: row.status,
    validationStatus: row.validation_status,
    createdDate: iso(row.created_at),
    updatedDate: iso(row.updated_at),
    reviewPolicy: row.review_policy,
    reviewReason: row.review_reason,
    waitingSince: iso(row.review_since),
    ageSeconds: Math.max(0, Math.floor((now.getTime() - Date.parse(iso(row.review_since))) / 1000)),
    assignedTo: row.assigned_to,
    approvals: row.approvals,
    approvalsNeeded: approvalsNeeded[row.review_policy],
    observations: [...row.observations],
  };
}
