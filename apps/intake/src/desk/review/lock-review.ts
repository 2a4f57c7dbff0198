import type { EntityManager } from '@mikro-orm/postgresql';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import { statement } from '@rubrica/database/statement';
import { AppError } from '@rubrica/process/errors';
import type { OperatorCaller } from '@rubrica/process/trpc';
import { assertCurrentRole, mayReviewSql } from '../../access/operators/assert-current-role.ts';
import { requestNotFound, stateNotAllowed } from '../../base/errors.ts';
import type { Request } from '../../requests/request/request.entity.ts';
import { lockById } from '../../requests/request/request.repository.ts';
import type { DeskDeps } from '../deps.ts';
import { isWaiting } from './review-row.ts';
import { isAuthentic, type StoredApproval, storedApprovalSql } from './stored-approval.ts';

function notWaiting(request: Request): AppError {
  return request.status === 'VALIDATING'
    ? new AppError({
        code: 'REQUEST_STATE_NOT_ALLOWED',
        text: createText('operator.notInReview'),
      })
    : stateNotAllowed(request.status);
}

/**
 * Loads and locks a request that waits for a reviewer. If a decision and a cancel, or two decisions, are
 * concurrent, the later one sees the earlier.
 * @throws AppError REQUEST_NOT_FOUND, REQUEST_STATE_NOT_ALLOWED; FORBIDDEN for an operator who may no longer
 *   decide
 */
export async function lockReview(
  em: EntityManager,
  requestId: string,
  operator: OperatorCaller,
): Promise<Request> {
  await assertCurrentRole(em, operator, 'reviewer');
  const request = await lockById(em, requestId);
  if (!request) throw requestNotFound();
  if (!isWaiting(request)) throw notWaiting(request);
  return request;
}

const findApprovers = statement<ReviewAttempt, ApprovalRow>({
  name: 'review-approvers',
  sql: `select review_approval.id as "approvalId", operator_id as "operatorId", ${storedApprovalSql} as stored from review_approval join operator on operator.id = operator_id
    where request_id = :id and attempt = :validationAttempt and ${mayReviewSql} for share of operator`,
});
type ReviewAttempt = Pick<Request, 'id' | 'validationAttempt'>;
interface ApprovalRow {
  readonly approvalId: string;
  readonly operatorId: string;
  readonly stored: StoredApproval;
}

/**
 * Finds the approvals of the current validation attempt by operators who may still decide. Earlier approvals
 * are void, and so are those of operators who were disabled or demoted. A row that this service has not
 * written is nobody's approval.
 */
export async function findApprovals(
  { rows }: Pick<DeskDeps, 'rows'>,
  em: EntityManager,
  request: ReviewAttempt,
): Promise<Pick<ApprovalRow, 'approvalId' | 'operatorId'>[]> {
  const { id, validationAttempt } = request;
  const approvals = await findApprovers.run(em, { id, validationAttempt });
  return approvals.filter(({ stored }) => isAuthentic(stored, rows));
}
