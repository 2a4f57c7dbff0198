import type { EntityManager } from '@mikro-orm/postgresql';
import { runStatement, type SqlRunner } from '@rubrica/database/connection';
import { lease } from '@rubrica/database/lease';
import { buildStatement, type DependentInsert, type Row } from '../request/one-statement.ts';
import { type PlanOptions, planTransition } from '../request/plan-transition.ts';

import type { Decision } from '../request/registered/decision.ts';
import {
  protectRegistered,
  type RegisteredData,
  toRegistered,
  toStored,
} from '../request/registered/registered-data.ts';
import type { Request } from '../request/request.entity.ts';
import { requestLeaseSeconds, requestLeases } from '../request/request-lease.ts';
import type { Trigger } from '../request/state-machine.ts';
import { type SideEffects, transitionStatement } from '../request/write-transition.ts';
import type { Flow, SignatureFlowDeps } from './flow.ts';
import { createStepInProgress } from './next-step.ts';

/** Request with a lease on it. What is written under the fence is written once, by one call. */
export interface LeasedStep extends Flow {
  readonly fence: number;
}

/**
 * Acquires the lease in the transaction of `em`, together with the writes of the step.
 * @throws AppError REQUEST_STATE_NOT_ALLOWED while another call has it
 */
export async function leaseStep(
  em: EntityManager,
  flow: Flow,
  { columns = {}, inserts = [] }: { columns?: Row; inserts?: readonly DependentInsert[] } = {},
): Promise<LeasedStep> {
  const set = Object.keys(columns).map((name) => `${name} = :${name}, `);
  const change = {
    sql: `update request set ${set.join('')}${lease.take} where id = :id and ${lease.isFree} returning id`,
    params: { ...columns, id: flow.request.id, leaseSeconds: requestLeaseSeconds },
  };
  const rows = await runStatement(em, buildStatement(change, { inserts, messages: [] }));
  if (rows.length === 0) throw createStepInProgress();
  return { ...flow, fence: flow.request.fence + 1 };
}

/**
 * Does the work of a leased step outside any transaction. If it fails, the next call need not wait for the
 * lease.
 */
export async function whileLeased<Result>(
  sql: SqlRunner,
  leased: LeasedStep,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    // The first failure is the one to report; the lease ends by itself.
    await requestLeases.release(sql, { id: leased.request.id, fence: leased.fence }).catch(() => undefined);
    throw error;
  }
}

export interface StepOutcome {
  /** Absent: the request keeps its state. */
  readonly transition?: { readonly trigger: Trigger } & Pick<PlanOptions, 'code' | 'text'>;
  /** Entry of the timeline if nothing changes. */
  readonly note?: { readonly trigger: string; readonly code?: string };
  /** Result of the checks; absent: unchanged. */
  readonly decision?: Decision;
  readonly columns?: Row;
  readonly inserts?: readonly DependentInsert[];
  /** Additional writes in the transaction. */
  readonly also?: (em: EntityManager) => Promise<unknown>;
}

const partnerActor = 'partner';

/** Returns the columns of the registered data and the decision after a step, under a new MAC. */
function buildProtectedColumns(
  { rows }: Pick<SignatureFlowDeps, 'rows'>,
  { request }: LeasedStep,
  { columns = {}, decision }: Pick<StepOutcome, 'columns' | 'decision'>,
): Row {
  const current = toRegistered(toStored(request));
  const { validation_attempt = current.validationAttempt, review_policy = current.reviewPolicy } = columns;
  return protectRegistered(rows, {
    ...current,
    validationAttempt: validation_attempt as number,
    reviewPolicy: review_policy as RegisteredData['reviewPolicy'],
    ...(decision === undefined ? {} : { decision }),
  });
}

function buildNoteStatement(deps: SignatureFlowDeps, leased: LeasedStep, outcome: StepOutcome) {
  const { request, fence } = leased;
  const now = deps.clock();
  const columns: Row = {
    updated_at: now,
    ...outcome.columns,
    ...buildProtectedColumns(deps, leased, outcome),
  };
  const set = Object.keys(columns).map((name) => `${name} = :${name}`);
  const change = {
    sql: `update request set ${set.join(', ')}, ${lease.end}, fence = fence + 1
      where id = :id and fence = :fence returning id`,
    params: { ...columns, id: request.id, fence },
  };
  const { status, validationStatus } = request;
  const common = {
    request_id: request.id,
    at: now,
    status,
    validation_status: validationStatus,
    actor: partnerActor,
  };
  const timeline = outcome.note
    ? [{ ...common, trigger: outcome.note.trigger, code: outcome.note.code ?? null }]
    : [];
  const inserts = [{ table: 'timeline', rows: timeline }, ...(outcome.inserts ?? [])];
  return buildStatement(change, { inserts, messages: [] });
}

function buildChangeStatement(
  deps: SignatureFlowDeps,
  leased: LeasedStep,
  outcome: StepOutcome & Required<Pick<StepOutcome, 'transition'>>,
) {
  const { request, fence } = leased;
  const { trigger, ...reason } = outcome.transition;
  const plan = planTransition(toRequestState(request), trigger, { ...reason, newId: deps.newId });
  const { errorWindowDays, retention } = deps.rules;
  const { entries } = deps.database;
  const context = {
    now: deps.clock(),
    entries,
    rows: deps.rows,
    actor: partnerActor,
    errorWindowDays,
    retention,
  };
  const columns = { ...outcome.columns, ...buildProtectedColumns(deps, leased, outcome) };
  const sideEffects: SideEffects = { columns, inserts: outcome.inserts ?? [] };
  return transitionStatement({ id: request.id, fence }, plan, context, sideEffects);
}

function toRequestState({ id, status, validationStatus, callbackUrl, ...attempts }: Request) {
  const { validationAttempt, generationAttempt } = attempts;
  return { id, status, validationStatus, callbackUrl, validationAttempt, generationAttempt };
}

/**
 * Writes the outcome of a step and ends the lease, in one transaction. It writes nothing if the request was
 * cancelled, expired or leased by another call in the meantime.
 * @throws AppError REQUEST_STATE_NOT_ALLOWED in these cases
 */
export async function recordStep(
  deps: SignatureFlowDeps,
  leased: LeasedStep,
  outcome: StepOutcome,
): Promise<void> {
  const { transition } = outcome;
  const statement = transition
    ? buildChangeStatement(deps, leased, { ...outcome, transition })
    : buildNoteStatement(deps, leased, outcome);
  await deps.database.transaction(async (em) => {
    const rows = await runStatement(em, statement);
    if (rows.length === 0) throw createStepInProgress();
    await outcome.also?.(em);
  });
}
