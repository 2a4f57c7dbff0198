import type { EntityManager } from '@mikro-orm/postgresql';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import { statement } from '@rubrica/database/statement';
import { AppError } from '@rubrica/process/errors';
import type { OperatorUseCase } from '@rubrica/wiring';
import { type ClaimToken, createClaimToken } from '../../requests/claim/claim-link.ts';
import { claimSideEffects } from '../../requests/claim/claim-side-effects.ts';
import { applyTransition } from '../../requests/request/apply-transition.ts';
import { needsClaim, approvalTrigger as passedTrigger } from '../../requests/request/approval-trigger.ts';
import type { Decision } from '../../requests/request/registered/decision.ts';
import { findDecisionInForce } from '../../requests/request/registered/decision-in-force.ts';
import { notAuthentic } from '../../requests/request/registered/registered-data.ts';
import { type VerifiedRequest, verifyRequest } from '../../requests/request/registered/verify-request.ts';
import type { Request } from '../../requests/request/request.entity.ts';
import type { SideEffects } from '../../requests/request/write-transition.ts';
import type { DeskDeps } from '../deps.ts';
import { judgeApproval } from './judge-approval.ts';
import { findApprovals, lockReview } from './lock-review.ts';
import { auditReview, noteReview, type ReviewStep, readReviewReason } from './note-review.ts';
import { assertUnchangedReview } from './review-digest.ts';
import { toReviewDecision, toTransitionOptions } from './transition-options.ts';

type ApproveReviewDeps = Pick<DeskDeps, 'database' | 'clock' | 'newId' | 'rules' | 'rows' | 'keyring'>;
type ApproveReview = OperatorUseCase<'reviews.approve'>;

/** Refuses with 409 rather than 403: this operator may approve, but not this request in its current state. */
function alreadyApproved(): AppError {
  return new AppError({
    code: 'REQUEST_STATE_NOT_ALLOWED',
    text: createText('operator.approvedAlready'),
  });
}

interface Approval {
  readonly id: string;
  readonly requestId: string;
  readonly attempt: number;
  readonly operatorId: string;
  readonly at: Date;
  readonly comment: string | null;
  readonly version: number;
  readonly mac: string;
}

/**
 * Inserts an approval. The key keeps an operator from counting twice, whatever the surrounding code does: a
 * second one inserts no row.
 */
const insertApproval = statement<Approval>({
  name: 'insert-review-approval',
  sql: `insert into review_approval (id, request_id, attempt, operator_id, at, comment, version, mac)
     values (:id, :requestId, :attempt, :operatorId, :at, :comment, :version, :mac)
     on conflict (request_id, attempt, operator_id) do nothing returning 1`,
});

/** @returns its id; undefined if the operator has approved already */
async function storeApproval(
  { rows, newId }: Pick<ApproveReviewDeps, 'rows' | 'newId'>,
  em: EntityManager,
  { request, step }: { readonly request: Request; readonly step: ReviewStep },
): Promise<string | undefined> {
  const { operator, now: at, reason: comment = null } = step;
  const { id: requestId, validationAttempt: attempt } = request;
  const approval = { id: newId(), requestId, attempt, operatorId: operator.operatorId, at };
  const guarded = rows.protect('review_approval', approval);
  const inserted = await insertApproval.run(em, { ...approval, ...guarded, comment });
  return inserted.length === 1 ? approval.id : undefined;
}

interface ReleaseOptions {
  readonly request: Request;
  readonly step: ReviewStep;
  readonly token: ClaimToken;
  readonly approvals: readonly string[];
  readonly verified: VerifiedRequest;
  /** Decision with which it waited for the review. */
  readonly pending: Decision;
}

async function release(
  deps: ApproveReviewDeps,
  em: EntityManager,
  { request, step, token, approvals, verified, pending }: ReleaseOptions,
): Promise<void> {
  const trigger = passedTrigger({ family: request.family, needsClaim: needsClaim(request) });
  const { now } = step;
  const { id: requestId, details, language } = request;
  const { claimWindowDays } = deps.rules;
  const claim = { requestId, details, language, token, claimWindowDays, now, rows: deps.rows };
  const sideEffects: SideEffects =
    trigger === 'approve' ? claimSideEffects({ ...claim, mailId: deps.newId() }) : {};
  const passed = { checks: [...pending.checks, 'REVIEW' as const], approvals };
  const options = { ...toTransitionOptions(deps, step), verified, sideEffects, passed };
  await applyTransition(em, request, trigger, options);
}

/**
 * Loads the decision that waits for a review: a reviewer decides only on requests that passed all other
 * checks.
 * @throws AppError REQUEST_STATE_NOT_ALLOWED, with an alarm
 */
async function requirePending(
  em: EntityManager,
  { rows }: Pick<ApproveReviewDeps, 'rows'>,
  request: Request,
): Promise<Pick<ReleaseOptions, 'verified' | 'pending'>> {
  const verified = await verifyRequest(em, rows, request);
  const { stored, history } = verified;
  const pending = findDecisionInForce(rows, stored, { history, outcome: 'REVIEW' });
  if (pending === null) throw notAuthentic();
  return { verified, pending };
}

/**
 * Records one operator's approval. The last one that the policy requires lets the request go on as after an
 * automatic validation, in the same transaction.
 * @throws AppError REQUEST_NOT_FOUND, REQUEST_STATE_NOT_ALLOWED, REVIEW_CHANGED, FORBIDDEN
 */
export function createApproveReview(deps: ApproveReviewDeps): ApproveReview {
  return async (approval, { caller: operator }) => {
    // Created before the transaction; if no link is needed this token is discarded.
    const token = await createClaimToken(deps.keyring, approval.requestId.toLowerCase());
    return deps.database.transaction(async (em) => {
      const request = await lockReview(em, approval.requestId, operator);
      await assertUnchangedReview(em, request, { shownSha256: approval.shownSha256, rules: deps.rules });
      const waiting = await requirePending(em, deps, request);
      const approved = await findApprovals(deps, em, request);
      const approvedBy = approved.map(({ operatorId }) => operatorId);
      const { reviewPolicy: policy } = request;
      const verdict = judgeApproval({ policy, approvedBy, operatorId: operator.operatorId });
      const approvals = approvedBy.length + 1;
      const step = {
        operator,
        action: 'reviews.approve',
        kind: 'approveReview',
        reason: readReviewReason(approval),
        now: deps.clock(),
        details: { policy, approvals },
      } as const;
      const stored = verdict === 'repeated' ? undefined : await storeApproval(deps, em, { request, step });
      if (stored === undefined) throw alreadyApproved();
      await auditReview(em, request, step);
      const ids = [...approved.map(({ approvalId }) => approvalId), stored];
      if (verdict === 'complete')
        await release(deps, em, { request, step, token, approvals: ids, ...waiting });
      else await noteReview(em, request, { ...step, rows: deps.rows });
      return toReviewDecision(request, approvals);
    });
  };
}
