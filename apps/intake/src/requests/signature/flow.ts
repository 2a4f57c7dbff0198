import type { EntityManager } from '@mikro-orm/postgresql';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import { maxStepAttempts } from '@rubrica/contracts/rest/api-flow';
import { stateNotAllowed } from '../../base/errors.ts';
import type { RequestsDeps } from '../deps.ts';
import { type VerifiedRequest, verifyRequest } from '../request/registered/verify-request.ts';
import type { Request } from '../request/request.entity.ts';
import { lockOwn } from '../request/request.repository.ts';
import { canApply } from '../request/state-machine.ts';
import { findOpenSession, type LivenessSession, LivenessSessionEntity } from './liveness-session.entity.ts';
import type { FlowProgress } from './next-step.ts';

/** Request of a partner, by its id. */
export interface FlowKey {
  readonly partnerId: string;
  readonly requestId: string;
}

export interface Flow extends VerifiedRequest {
  readonly request: Request;
  /** Sessions in the order in which they were begun. */
  readonly sessions: readonly LivenessSession[];
  readonly progress: FlowProgress;
}

export type SignatureFlowDeps = Pick<RequestsDeps, 'database' | 'clock' | 'newId' | 'rules' | 'rows'>;

/**
 * Locks a request until the transaction ends, and reads its state.
 * @throws AppError REQUEST_NOT_FOUND, REQUEST_STATE_NOT_ALLOWED if it is not as this service wrote it
 */
export async function lockFlow(
  em: EntityManager,
  own: FlowKey,
  { rows }: Pick<SignatureFlowDeps, 'rows'>,
): Promise<Flow> {
  const request = await lockOwn(em, { ...own, family: 'API' });
  const authentic = await verifyRequest(em, rows, request);
  const { status, validationStatus } = request;
  const where = { requestId: request.id };
  const sessions = await em.find(LivenessSessionEntity, where, { orderBy: { attempt: 'asc' } });
  const hasOpenSession = findOpenSession(sessions) !== undefined;
  return { ...authentic, request, sessions, progress: { status, validationStatus, hasOpenSession } };
}

/**
 * Refuses a call after the time to finish. The clock decides, not the sweeper, which comes later.
 * @throws AppError REQUEST_STATE_NOT_ALLOWED
 */
export function requireBeforeExpiry({ request }: Flow, now: Date): void {
  const { expiresAt, status } = request;
  if (expiresAt !== null && now >= expiresAt && canApply('expireSteps', status))
    throw stateNotAllowed('EXPIRED');
}

/** Counts proofs of life that failed. Rows of sessions can be deleted, entries of the timeline cannot. */
export function countFailedSessions({ sessions, history }: Pick<Flow, 'sessions' | 'history'>): number {
  const failed = sessions.filter(({ status }) => status === 'FAILED' || status === 'EXPIRED');
  return Math.max(failed.length, history.failedLiveness);
}

const limitTexts = { identity: 'request.identityLimit', liveness: 'request.livenessLimit' } as const;

export function createLimitText(step: keyof typeof limitTexts, reason: ErrorText): ErrorText {
  return createText(limitTexts[step], { count: maxStepAttempts, reason });
}
