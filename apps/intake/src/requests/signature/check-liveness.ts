import type { EntityManager } from '@mikro-orm/postgresql';
import { createCatalogueText, createText } from '@rubrica/contracts/error-texts/create-text';
import { maxStepAttempts } from '@rubrica/contracts/rest/api-flow';
import type * as apiFlowContract from '@rubrica/contracts/services/schemas/api-flow';
import type { Status } from '@rubrica/contracts/shared/enumerations';
import type { ErrorCode } from '@rubrica/contracts/shared/errors';
import { crashpoint } from '@rubrica/process/crashpoint';
import { AppError } from '@rubrica/process/errors';
import { KeyringError } from '@rubrica/process/keyring';
import type { UseCase } from '@rubrica/wiring';
import { crashPoints } from '../../base/crash-points.ts';
import { requestNotFound } from '../../base/errors.ts';
import type { LivenessAnswer, LivenessResult } from '../../outside/liveness/liveness.ts';
import type { RequestsDeps } from '../deps.ts';
import { findDecisionInForce } from '../request/registered/decision-in-force.ts';
import { notAuthentic } from '../request/registered/registered-data.ts';
import { reviewSideEffects } from '../request/review-side-effects.ts';
import {
  countFailedSessions,
  createLimitText,
  lockFlow,
  requireBeforeExpiry,
  type SignatureFlowDeps,
} from './flow.ts';
import { type LeasedStep, leaseStep, recordStep, type StepOutcome, whileLeased } from './leased-step.ts';
import {
  isSessionAuthentic,
  type LivenessSession,
  LivenessSessionEntity,
} from './liveness-session.entity.ts';
import { createStepNotDue, determineNextStep } from './next-step.ts';

type CheckLiveness = UseCase<'intake', 'signature.checkLiveness'>;

interface Input {
  readonly requestId: string;
  readonly livenessSessionId: string;
}
type Output = apiFlowContract.LivenessStatus;
type CheckLivenessDeps = SignatureFlowDeps & Pick<RequestsDeps, 'liveness'>;
type SealedSessionDeps = CheckLivenessDeps & Pick<RequestsDeps, 'keyring'>;
type StepStart =
  | { readonly answer: Output }
  | { readonly leased: LeasedStep; readonly session: LivenessSession };
type EndedResult = LivenessResult & { readonly status: 'SUCCEEDED' | 'FAILED' | 'EXPIRED' };

const providerTimeoutMs = 9_000;
const retryAfterSeconds = 5;

/**
 * Asks the provider for the outcome of a proof of life. An outcome is written once, with its consequence for
 * the request; a repeat returns what was written. A session counts as expired if its provider no longer knows
 * it, or if it is still open after its time.
 * @throws AppError REQUEST_NOT_FOUND, for a session of another request too, REQUEST_STATE_NOT_ALLOWED,
 *   EXTERNAL_SERVICE_UNAVAILABLE
 */
export function createCheckLiveness(deps: SealedSessionDeps): CheckLiveness {
  return async ({ requestId, sealedSession }, { caller: { partnerId } }) => {
    const livenessSessionId = await openSession(sealedSession, requestId.toLowerCase(), deps);
    return checkLiveness(deps, { requestId, livenessSessionId }, partnerId);
  };
}

async function openSession(sealed: string, owner: string, { keyring }: SealedSessionDeps): Promise<string> {
  try {
    return await keyring.openText(sealed, { purpose: 'liveness-session', owner });
  } catch (cause) {
    if (cause instanceof KeyringError) throw requestNotFound();
    throw cause;
  }
}

export async function checkLiveness(
  deps: CheckLivenessDeps,
  { requestId, livenessSessionId }: Input,
  partnerId: string,
): Promise<Output> {
  const begun = await deps.database.transaction(async (em): Promise<StepStart> => {
    const flow = await lockFlow(em, { requestId, partnerId }, deps);
    const session = flow.sessions.find(({ sessionId }) => sessionId === livenessSessionId);
    if (!session) throw requestNotFound();
    const next = determineNextStep(flow.progress);
    if (session.status !== null) return { answer: toOutput(toResult(session), next) };
    requireBeforeExpiry(flow, deps.clock());
    if (next !== 'LIVENESS_CHECK') throw createStepNotDue(flow.progress);
    return { leased: await leaseStep(em, flow), session };
  });
  if ('answer' in begun) return begun.answer;
  const { leased, session } = begun;
  return whileLeased(deps.database, leased, () => checkWithProvider(deps, leased, session));
}

async function checkWithProvider(
  deps: CheckLivenessDeps,
  leased: LeasedStep,
  session: LivenessSession,
): Promise<Output> {
  const { request } = leased;
  // Another session would prove another person.
  if (!isSessionAuthentic(deps.rows, session, request)) throw notAuthentic();
  const answer = await deps.liveness.getResult({
    requestId: request.id,
    attempt: session.attempt,
    identificationNumber: request.identificationNumber,
    sessionId: session.sessionId,
    signal: AbortSignal.timeout(providerTimeoutMs),
  });
  const result = judge(answer, { isOver: deps.clock() >= session.expiresAt });
  if (!isEnded(result)) {
    await recordStep(deps, leased, {});
    return toOutput(result, 'LIVENESS_CHECK');
  }
  crashpoint(crashPoints.beforeLivenessOutcome);
  const status = await recordSessionEnd(deps, leased, { session, result });
  crashpoint(crashPoints.afterLivenessOutcome);
  return toOutput(result, determineNextStep({ ...status, hasOpenSession: false }));
}

function isEnded(result: LivenessResult): result is EndedResult {
  return result.status !== 'CREATED' && result.status !== 'IN_PROGRESS';
}

const expired: LivenessResult = {
  status: 'EXPIRED',
  livenessConfidence: null,
  faceMatchConfidence: null,
  failureReasons: ['LIVENESS_SESSION_EXPIRED'],
};

function judge(answer: LivenessAnswer, { isOver }: { isOver: boolean }): LivenessResult {
  if (answer.outcome === 'unavailable')
    throw new AppError({
      code: 'EXTERNAL_SERVICE_UNAVAILABLE',
      text: createText('request.livenessAway'),
      retryAfterSeconds,
    });
  if (answer.outcome === 'not-found') return expired;
  return isOver && !isEnded(answer.result) ? expired : answer.result;
}

interface Outcome {
  readonly session: LivenessSession;
  readonly result: EndedResult;
}

interface NextState {
  readonly status: Status;
  readonly validationStatus: LeasedStep['request']['validationStatus'];
}

/** Records the end of a session. @returns state of the request afterwards */
async function recordSessionEnd(
  deps: CheckLivenessDeps,
  leased: LeasedStep,
  { session, result }: Outcome,
): Promise<NextState> {
  const outcome = result.status === 'SUCCEEDED' ? planSuccess(deps, leased) : planFailure(leased, result);
  const { after, ...written } = outcome;
  await recordStep(deps, leased, {
    ...written,
    also: (em) => endSession(em, { session, result, now: deps.clock() }),
  });
  return after;
}

type PlannedOutcome = StepOutcome & { readonly after: NextState };

function planSuccess(deps: CheckLivenessDeps, leased: LeasedStep): PlannedOutcome {
  const { stored, history } = leased;
  const pending = findDecisionInForce(deps.rows, stored, { history, outcome: 'LIVENESS' });
  if (pending === null) throw notAuthentic();
  const { review, observationsSha256, ...proven } = pending;
  const now = deps.clock();
  const checked = { ...proven, checks: [...proven.checks, 'LIVENESS'], at: now.toISOString() } as const;
  if (review) {
    const after = { status: 'VALIDATING', validationStatus: 'MANUALLY_VALIDATING' } as const;
    const { columns = {} } = reviewSideEffects(review, now);
    return {
      transition: { trigger: 'askForReview' },
      columns,
      decision: {
        ...checked,
        outcome: 'REVIEW',
        review,
        ...(observationsSha256 === undefined ? {} : { observationsSha256 }),
      },
      after,
    };
  }
  return {
    transition: { trigger: 'passSteps' },
    decision: { ...checked, outcome: 'PASSED' },
    after: { status: 'APPROVED', validationStatus: 'COMPLETED' },
  };
}

function planFailure(leased: LeasedStep, { failureReasons }: EndedResult): PlannedOutcome {
  const code: ErrorCode = failureReasons[0] ?? 'LIVENESS_FAILED';
  const { status, validationStatus } = leased.request;
  if (countFailedSessions(leased) + 1 < maxStepAttempts)
    return { note: { trigger: 'failLiveness', code }, after: { status, validationStatus } };
  return {
    transition: { trigger: 'refuseStep', code, text: createLimitText('liveness', createCatalogueText(code)) },
    after: { status: 'REFUSED', validationStatus: 'REFUSED' },
  };
}

function endSession(em: EntityManager, { session, result, now }: Outcome & { now: Date }): Promise<unknown> {
  const { livenessConfidence, faceMatchConfidence, failureReasons, status } = result;
  const ended = { status, endedAt: now, livenessConfidence, faceMatchConfidence, sealedUrl: null };
  const { requestId, attempt } = session;
  const reasons = [...failureReasons];
  return em.nativeUpdate(LivenessSessionEntity, { requestId, attempt }, { ...ended, reasons });
}

function toResult(session: LivenessSession): LivenessResult {
  return {
    status: session.status ?? 'CREATED',
    livenessConfidence: session.livenessConfidence,
    faceMatchConfidence: session.faceMatchConfidence,
    failureReasons: [...session.reasons],
  };
}

const results = { SUCCEEDED: 'APPROVED', FAILED: 'REJECTED', EXPIRED: 'REJECTED' } as const;

function toOutput(result: LivenessResult, nextStep: Output['nextStep']): Output {
  return {
    status: result.status,
    livenessConfidence: result.livenessConfidence,
    faceMatchConfidence: result.faceMatchConfidence,
    result: isEnded(result) ? results[result.status] : null,
    failureReasons: [...result.failureReasons],
    nextStep,
  };
}
