import type { OperatorOutput } from '@rubrica/contracts/operators/procedures';
import type { Status, ValidationStatus } from '@rubrica/contracts/shared/enumerations';
import type { RowGuard } from '@rubrica/database/guarded';
import { mayReviewSql } from '../../access/operators/assert-current-role.ts';
import { registeredSql, type StoredRegistration } from '../../requests/request/registered/registered-data.ts';
import { historySql, type RequestHistory } from '../../requests/request/registered/request-history.ts';
import type { Request } from '../../requests/request/request.entity.ts';
import type { FoundRequest } from '../search/listed-requests.ts';
import { toDisplayedReview } from './displayed-review.ts';
import { approvalsNeeded } from './judge-approval.ts';
import { isAuthentic, type StoredApproval, storedApprovalSql } from './stored-approval.ts';

export type ReviewRow = OperatorOutput<'reviews.queue'>['items'][number];

export interface StoredReview
  extends FoundRequest,
    Pick<Request, 'reviewPolicy' | 'reviewReason' | 'observations'> {
  readonly reviewSince: string;
  readonly assignedTo: string | null;
  readonly stored: StoredRegistration;
  readonly history: RequestHistory;
  /** Approvals of the current attempt, by operators who may still decide. */
  readonly approvedBy: readonly StoredApproval[];
}

/** SQL columns that read as `StoredReview`. */
export const reviewColumns = `
  request.id, family, partner_id as "partnerId", reference_transaction as "referenceTransaction",
  identification_number as "identificationNumber", status, validation_status as "validationStatus",
  request.created_at as "createdAt", request.updated_at as "updatedAt", review_policy as "reviewPolicy",
  review_reason as "reviewReason", review_since as "reviewSince", observations,
  ${registeredSql('request')} as stored, ${historySql('request.id')} as history,
  (select email from operator where operator.id = review_assigned_to) as "assignedTo",
  coalesce((select jsonb_agg(${storedApprovalSql}) from review_approval join operator on operator.id = operator_id
    where review_approval.request_id = request.id and attempt = validation_attempt and ${mayReviewSql}), '[]') as "approvedBy"`;

/** SQL condition on requests that wait for a reviewer; the same text as in the queue's index. */
export const isWaitingSql = `status = 'VALIDATING' and validation_status = 'MANUALLY_VALIDATING'`;

export function isWaiting(request: { status: Status; validationStatus: ValidationStatus }): boolean {
  return request.status === 'VALIDATING' && request.validationStatus === 'MANUALLY_VALIDATING';
}

function iso(instant: string): string {
  return new Date(instant).toISOString();
}

export function toReviewRow(
  row: StoredReview,
  { now, rows }: { readonly now: Date; readonly rows: Pick<RowGuard, 'isIntact' | 'reportFailed'> },
): ReviewRow {
  const shown = isWaiting(row) ? toDisplayedReview(row, { now, rows }) : row;
  return {
    requestId: row.id,
    family: row.family,
    partnerId: row.partnerId,
    referenceTransaction: row.referenceTransaction,
    identificationNumber: row.identificationNumber,
    status: row.status,
    validationStatus: row.validationStatus,
    createdDate: iso(row.createdAt),
    updatedDate: iso(row.updatedAt),
    reviewPolicy: row.reviewPolicy,
    reviewReason: shown.reviewReason,
    waitingSince: iso(row.reviewSince),
    ageSeconds: Math.max(0, Math.floor((now.getTime() - Date.parse(iso(row.reviewSince))) / 1000)),
    assignedTo: row.assignedTo,
    approvals: row.approvedBy.filter((approval) => isAuthentic(approval, rows)).length,
    approvalsNeeded: approvalsNeeded[row.reviewPolicy],
    observations: [...shown.observations],
  };
}
