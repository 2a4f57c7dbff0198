import type { EntityManager } from '@mikro-orm/postgresql';
import { runStatement } from '@rubrica/database/connection';
import { findEntryGuard } from '@rubrica/database/entries';
import type { RowGuard } from '@rubrica/database/guarded';
import { FenceLost } from '@rubrica/database/lease';
import { stateNotAllowed } from '../../base/errors.ts';
import { isApprovalTrigger } from './approval-trigger.ts';
import { planSlot } from './issuance-slots.ts';
import type { Row } from './one-statement.ts';
import {
  type PlanOptions,
  planTransition,
  TransitionNotAllowed,
  type TransitionPlan,
} from './plan-transition.ts';
import type { Decision } from './registered/decision.ts';
import { findDecisionInForce, findIssuanceDecision } from './registered/decision-in-force.ts';
import { createPendingDecision } from './registered/pending-decision.ts';
import { notAuthentic, protectRegistered, toRegistered, toStored } from './registered/registered-data.ts';
import { renewingTriggers } from './registered/request-history.ts';
import type { VerifiedRequest } from './registered/verify-request.ts';
import type { Request } from './request.entity.ts';
import type { Trigger } from './state-machine.ts';
import { type SideEffects, type TransitionContext, transitionStatement } from './write-transition.ts';

export type TransitionOptions = PlanOptions &
  Omit<TransitionContext, 'entries'> & {
    readonly rows: RowGuard;
    /** Request as it was found authentic; needed where registered data or a decision are written. */
    readonly verified?: VerifiedRequest;
    readonly sideEffects?: SideEffects;
    /** Checks and approvals of a request that passes a review. */
    readonly passed?: Pick<Decision, 'checks' | 'approvals'>;
  };

/**
 * Makes one transition on a locked request, in the transaction of `em`. Earlier changes of the entity are
 * written with it, and the entity shows the new state afterwards. A transition that writes registered data or
 * a decision needs what `verifyRequest` has found authentic.
 * @throws AppError REQUEST_STATE_NOT_ALLOWED if the state machine has no such row, or the request is not
 *   authentic
 */
export async function applyTransition(
  em: EntityManager,
  request: Request,
  trigger: Trigger,
  options: TransitionOptions,
): Promise<void> {
  const slot = await planSlot(em, { partnerId: request.partnerId, trigger });
  const plan = planOrRefuse(request, trigger, { ...options, ...slot });
  const columns = { ...options.sideEffects?.columns, ...protectedColumns(request, plan, options) };
  await em.flush();
  const sideEffects = { claimExpiresAt: request.claimExpiresAt, ...options.sideEffects, columns };
  const context = { ...options, entries: findEntryGuard(em) };
  const rows = await runStatement(em, transitionStatement(request, plan, context, sideEffects));
  if (rows.length === 0) throw new FenceLost({ table: 'request', key: request.id, fence: request.fence });
  await em.refresh(request);
}

function planOrRefuse(request: Request, trigger: Trigger, options: TransitionOptions) {
  try {
    return planTransition(request, trigger, options);
  } catch (error) {
    if (error instanceof TransitionNotAllowed) throw stateNotAllowed(request.status);
    throw error;
  }
}

function renewsData(trigger: Trigger): boolean {
  return (renewingTriggers as readonly Trigger[]).includes(trigger);
}

function protectedColumns(request: Request, plan: TransitionPlan, options: TransitionOptions): Row {
  const { trigger, validationAttempt } = plan;
  if (!renewsData(trigger) && !isApprovalTrigger(trigger)) return {};
  const current = toRegistered(toStored(request));
  const version = current.version + (renewsData(trigger) ? 1 : 0);
  const decision = decisionAfter(request, plan, options);
  return protectRegistered(options.rows, { ...current, version, validationAttempt, decision });
}

/**
 * Determines the decision after a transition. A validation that begins again voids the earlier decision;
 * generation continues with it.
 */
function decisionAfter(
  request: Request,
  { trigger, status, validationAttempt }: TransitionPlan,
  { rows, now, passed, verified }: TransitionOptions,
): Decision | null {
  if (verified === undefined) throw new Error('a request is verified before its data are written anew');
  const { stored, history } = verified;
  if (isApprovalTrigger(trigger)) {
    if (passed === undefined) throw new Error('a request passes with the checks that it has passed');
    const { failures } = history;
    const { validationAttempt: attempt, evidenceSha256 } = request;
    return { outcome: 'PASSED', attempt, evidenceSha256, failures, ...passed, at: now.toISOString() };
  }
  if (status !== 'GENERATING') return createPendingDecision({ ...request, validationAttempt }, history, now);
  const decision =
    trigger === 'claim'
      ? findDecisionInForce(rows, stored, { history })
      : findIssuanceDecision(rows, stored, history);
  if (decision === null) throw notAuthentic();
  return trigger === 'claim' ? { ...decision, isClaimed: true } : decision;
}
