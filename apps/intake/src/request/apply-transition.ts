import type { EntityManager } from '@mikro-orm/postgresql';
import type { Status, ValidationStatus } from '@rubrica/contracts';
import { emit, runnerOf } from '@rubrica/database';
import {
  type PlanOptions,
  planTransition,
  TransitionNotAllowed,
  type TransitionPlan,
} from '../domain/plan-transition.ts';
import { type FailedStep, isTerminal, type Trigger } from '../domain/state-machine.ts';
import { stateNotAllowed } from '../errors.ts';
import { WebhookEventEntity } from '../webhook-events/webhook-event.entity.ts';
import { type Request, TimelineEntity } from './request.entity.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Work that has shown no progress for this long is published again by the sweeper. */
export const progressWithinMs = 2 * MINUTE_MS;

export interface TransitionOptions extends PlanOptions {
  readonly now: Date;
  /** `partner`, `service:<name>`, `operator:<email>`, `holder`. */
  readonly actor: string;
  readonly reason?: string;
  /** Where a later retry starts again; with `code` and `message` it describes the error. */
  readonly failedStep?: FailedStep;
  readonly errorWindowDays: number;
}

/** When the sweeper has to look at a request in this state. */
export const dueAfter = (options: {
  status: Status;
  validationStatus: ValidationStatus;
  now: Date;
  claimExpiresAt: Date | null;
  errorWindowDays: number;
}): Date | null => {
  const { status, validationStatus, now } = options;
  if (isTerminal(status) || validationStatus === 'MANUALLY_VALIDATING') return null;
  if (status === 'APPROVED') return options.claimExpiresAt;
  const aheadMs = status === 'ERROR' ? options.errorWindowDays * DAY_MS : progressWithinMs;
  return new Date(now.getTime() + aheadMs);
};

/** A transition that names a code leaves its reason on the record; one that starts work again wipes it. */
const describeError = (request: Request, plan: TransitionPlan, options: TransitionOptions): void => {
  if (plan.code !== null) {
    request.errorCode = plan.code;
    request.errorMessage = plan.message;
    request.errorAt = options.now;
    request.failedStep = options.failedStep ?? request.failedStep;
  } else if (!isTerminal(plan.status)) {
    Object.assign(request, { errorCode: null, errorMessage: null, errorAt: null, failedStep: null });
  }
};

const destroySecrets = async (em: EntityManager, request: Request): Promise<void> => {
  request.sealedPassword = null;
  // Without its key the evidence is noise, wherever copies of it may still lie.
  request.evidenceKey = null;
  request.claimTokenSha256 = null;
  const sql = runnerOf(em);
  await sql.execute('update evidence set content = null where request_id = $1', [request.id]);
  await sql.execute('update mail_message set sealed_token = null where request_id = $1', [request.id]);
};

/**
 * Makes one transition on a locked request: state, timeline, event and messages, all in the transaction of `em`.
 * @throws AppError REQUEST_STATE_NOT_ALLOWED where the state machine has no such row
 */
export const applyTransition = async (
  em: EntityManager,
  request: Request,
  trigger: Trigger,
  options: TransitionOptions,
): Promise<TransitionPlan> => {
  const plan = planOrRefuse(request, trigger, options);
  const { now, actor } = options;
  request.status = plan.status;
  request.validationStatus = plan.validationStatus;
  request.validationAttempt = plan.validationAttempt;
  request.generationAttempt = plan.generationAttempt;
  request.dueAt = dueAfter({
    ...plan,
    now,
    claimExpiresAt: request.claimExpiresAt,
    errorWindowDays: options.errorWindowDays,
  });
  request.publishCount = 0;
  request.leaseUntil = null;
  // Whoever still works under an older fence may no longer write.
  request.fence += 1;
  request.attempts = 0;
  request.version += 1;
  request.updatedAt = now;
  describeError(request, plan, options);
  if (plan.destroysSecrets) await destroySecrets(em, request);
  em.create(TimelineEntity, {
    requestId: request.id,
    at: now,
    trigger,
    status: plan.status,
    validationStatus: plan.validationStatus,
    code: plan.code,
    actor,
    reason: options.reason ?? null,
  });
  if (plan.webhookEvent)
    em.create(WebhookEventEntity, { ...plan.webhookEvent, requestId: request.id, occurredAt: now });
  if (plan.messages.length > 0) await emit(em, plan.messages);
  return plan;
};

const planOrRefuse = (request: Request, trigger: Trigger, options: TransitionOptions): TransitionPlan => {
  try {
    return planTransition(request, trigger, options);
  } catch (error) {
    if (error instanceof TransitionNotAllowed) throw stateNotAllowed(request.status);
    throw error;
  }
};
