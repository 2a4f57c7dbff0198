import { createText } from '@rubrica/contracts/error-texts/create-text';
import type * as apiFlowContract from '@rubrica/contracts/services/schemas/api-flow';
import { crashpoint } from '@rubrica/process/crashpoint';
import { AppError } from '@rubrica/process/errors';
import type { UseCase } from '@rubrica/wiring';
import { crashPoints } from '../../base/crash-points.ts';
import type { RequestsDeps } from '../deps.ts';
import type { EvidenceDeps } from '../evidence/open-evidence.ts';
import { notAuthentic } from '../request/registered/registered-data.ts';
import { checkLiveness } from './check-liveness.ts';
import {
  countFailedSessions,
  type Flow,
  type FlowKey,
  lockFlow,
  requireBeforeExpiry,
  type SignatureFlowDeps,
} from './flow.ts';
import { type LeasedStep, leaseStep, recordStep, whileLeased } from './leased-step.ts';
import { findOpenSession, isSessionAuthentic, type LivenessSession } from './liveness-session.entity.ts';
import { createStepNotDue, determineNextStep } from './next-step.ts';
import { readSelfie } from './read-selfie.ts';

type RequestLiveness = UseCase<'intake', 'signature.requestLiveness'>;
type Output = apiFlowContract.StartedLiveness;
type RequestLivenessDeps = SignatureFlowDeps & Pick<RequestsDeps, 'keyring' | 'liveness'> & EvidenceDeps;
type SessionView = Pick<LivenessSession, 'requestId' | 'sessionId' | 'sealedUrl' | 'expiresAt' | 'attempt'>;
type StepStart =
  | { readonly answer: SessionView }
  | { readonly over: LivenessSession }
  | { readonly leased: LeasedStep };

const providerTimeoutMs = 9_000;
const retryAfterSeconds = 5;

/**
 * Begins a proof of life. The provider is asked outside any transaction under the number of the attempt:
 * after a crash it names the same session again. A repeat while a session is open returns that session. A
 * session whose time is over is checked first, because it may have passed.
 * @throws AppError REQUEST_NOT_FOUND, REQUEST_STATE_NOT_ALLOWED, LIVENESS_ATTEMPTS_EXCEEDED,
 *   EXTERNAL_SERVICE_UNAVAILABLE
 */
export function createRequestLiveness(deps: RequestLivenessDeps): RequestLiveness {
  return async ({ requestId }, { caller: { partnerId } }) => {
    const own = { requestId, partnerId };
    let begun = await begin(deps, own);
    if ('over' in begun) {
      const question = { requestId, livenessSessionId: begun.over.sessionId };
      await checkLiveness(deps, question, partnerId);
      begun = await begin(deps, own);
      // Still without an outcome: the provider does not answer, and the check has said so.
      if ('over' in begun) throw providerUnavailable();
    }
    if ('answer' in begun) return toOutput(deps, begun.answer);
    const { leased } = begun;
    return toOutput(deps, await whileLeased(deps.database, leased, () => createSession(deps, leased)));
  };
}

function providerUnavailable() {
  return new AppError({
    code: 'EXTERNAL_SERVICE_UNAVAILABLE',
    text: createText('request.livenessAway'),
    retryAfterSeconds,
  });
}

function begin(deps: RequestLivenessDeps, own: FlowKey): Promise<StepStart> {
  return deps.database.transaction(async (em) => {
    const flow = await lockFlow(em, own, deps);
    const session = findOpenSession(flow.sessions);
    refuseExhausted(flow);
    requireBeforeExpiry(flow, deps.clock());
    const next = determineNextStep(flow.progress);
    if (next === 'LIVENESS_CHECK' && session) {
      if (deps.clock() >= session.expiresAt) return { over: session };
      if (!isSessionAuthentic(deps.rows, session, flow.request)) throw notAuthentic();
      return { answer: session };
    }
    if (next !== 'LIVENESS_REQUEST') throw createStepNotDue(flow.progress);
    return { leased: await leaseStep(em, flow) };
  });
}

function refuseExhausted({ request, sessions, history }: Flow): void {
  const [failed, last] = [countFailedSessions({ sessions, history }), sessions.at(-1)];
  if (request.status !== 'REFUSED' || failed === 0 || last?.status === 'SUCCEEDED') return;
  throw new AppError({ code: 'LIVENESS_ATTEMPTS_EXCEEDED' });
}

async function createSession(deps: RequestLivenessDeps, leased: LeasedStep): Promise<SessionView> {
  const { request, sessions } = leased;
  const attempt = sessions.length + 1;
  const created = await deps.liveness.createSession({
    requestId: request.id,
    attempt,
    identificationNumber: request.identificationNumber,
    selfie: await readSelfie(deps, request),
    signal: AbortSignal.timeout(providerTimeoutMs),
  });
  if (created.outcome === 'unavailable') throw providerUnavailable();
  const { sessionId, livenessUrl, expiresAt } = created.session;
  const sealedUrl = await deps.keyring.sealTo('gateway', livenessUrl, {
    purpose: 'liveness-url',
    owner: request.id,
  });
  crashpoint(crashPoints.beforeLivenessSession);
  const { evidenceSha256 } = request;
  const guarded = { id: request.id, attempt, sessionId, sealedUrl, expiresAt, evidenceSha256 };
  const row = {
    request_id: request.id,
    attempt,
    session_id: sessionId,
    sealed_url: sealedUrl,
    created_at: deps.clock(),
    expires_at: expiresAt,
    mac: deps.rows.protect('liveness_session', guarded).mac,
  };
  await recordStep(deps, leased, {
    note: { trigger: 'requestLiveness' },
    inserts: [{ table: 'liveness_session', rows: [row] }],
  });
  crashpoint(crashPoints.afterLivenessSession);
  return { requestId: request.id, sessionId, sealedUrl, expiresAt, attempt };
}

async function toOutput(
  { keyring }: Pick<RequestLivenessDeps, 'keyring'>,
  session: SessionView,
): Promise<Output> {
  const binding = { purpose: 'liveness-session', owner: session.requestId } as const;
  return {
    sealedSession: await keyring.sealTo('gateway', session.sessionId, binding),
    sealedUrl: session.sealedUrl ?? '',
    expiresAt: session.expiresAt.toISOString(),
    attemptNumber: session.attempt,
  };
}
