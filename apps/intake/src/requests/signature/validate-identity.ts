import type { EntityManager } from '@mikro-orm/postgresql';
import { maxStepAttempts } from '@rubrica/contracts/rest/api-flow';
import type * as apiFlowContract from '@rubrica/contracts/services/schemas/api-flow';
import type { ErrorCode, ErrorDetail } from '@rubrica/contracts/shared/errors';
import { crashpoint } from '@rubrica/process/crashpoint';
import { AppError } from '@rubrica/process/errors';
import { formatLocalDate } from '@rubrica/process/time';
import type { UseCase } from '@rubrica/wiring';
import { crashPoints } from '../../base/crash-points.ts';
import { refuseBody } from '../../base/errors.ts';
import type { RequestsDeps } from '../deps.ts';
import { toEvidenceRows } from '../evidence/evidence-file.ts';
import type { EvidenceDeps } from '../evidence/open-evidence.ts';
import type { FileCheckerDeps } from '../file-checks/file-checker.ts';
import { checkCertificateFlag, checkIdentityFiles, isBodyFault } from '../registration/family-rules.ts';
import { applyRules, createLaterContext } from '../registration/rules.ts';
import { getDetailText } from '../request/detail-text.ts';
import {
  digestObservations,
  listChecks,
  type Decision as RequestDecision,
} from '../request/registered/decision.ts';
import { digestEvidence, toOutline } from '../request/registered/evidence-outline.ts';
import { protectRegistered, toRegistered, toStored } from '../request/registered/registered-data.ts';
import { EvidenceEntity, type Request } from '../request/request.entity.ts';
import { askCompany, askPerson } from '../validation/ask-registries.ts';
import { checkFiles } from '../validation/check-files.ts';
import { type Decision, decide } from '../validation/decide.ts';
import { judgeFiles, updateFileObservations } from '../validation/judge-files.ts';
import {
  createLimitText,
  type Flow,
  type FlowKey,
  lockFlow,
  requireBeforeExpiry,
  type SignatureFlowDeps,
} from './flow.ts';
import { type IdentityAttempt, IdentityAttemptEntity } from './identity-attempt.entity.ts';
import { type LeasedStep, leaseStep, recordStep, type StepOutcome, whileLeased } from './leased-step.ts';
import { createStepNotDue, determineNextStep, type FlowProgress } from './next-step.ts';

type ValidateIdentity = UseCase<'intake', 'signature.validateIdentity'>;
type Input = apiFlowContract.ValidateIdentityInput;
type Output = apiFlowContract.ValidatedIdentityResult;
type ValidateIdentityDeps = SignatureFlowDeps &
  Pick<RequestsDeps, 'registries' | 'partners' | 'timeZone'> &
  EvidenceDeps &
  FileCheckerDeps;

const retryAfterSeconds = 5;

/**
 * Validates the identity of a request. Its files replace those of the previous attempt. They are checked, and
 * the registries asked, outside any transaction. The result is written under the fence with the attempt that
 * it uses up. If the process dies before that, no attempt was used up. Once the lease is over the step may be
 * called again, and asks the registries under the same number.
 * @throws AppError 400 for faults of the body, REQUEST_NOT_FOUND, REQUEST_STATE_NOT_ALLOWED,
 *   IDENTITY_CERTIFICATE_FLAG_REQUIRED, EXTERNAL_SERVICE_UNAVAILABLE
 */
export function createValidateIdentity(deps: ValidateIdentityDeps): ValidateIdentity {
  return async (input, { caller: { partnerId } }) => {
    const faults = findFaults(input, deps);
    if (faults.some(isBodyFault)) throw refuseBody(faults);
    const begun = await begin(deps, { input, faults, partnerId });
    if ('answer' in begun) return begun.answer;
    const { leased, rejected } = begun;
    return whileLeased(deps.database, leased, async () => {
      const investigation = await investigate(deps, leased);
      crashpoint(crashPoints.beforeIdentityOutcome);
      const answer = await recordResult(deps, leased, { ...investigation, rejected, callId: input.callId });
      crashpoint(crashPoints.afterIdentityOutcome);
      return answer;
    });
  };
}

function isRejected({ result }: IdentityAttempt): boolean {
  return result === 'REJECTED';
}

function findFaults(
  { isIdentityCertificate, faults, files }: Input,
  deps: ValidateIdentityDeps,
): readonly ErrorDetail[] {
  return applyRules([checkIdentityFiles, checkCertificateFlag], {
    fields: isIdentityCertificate === undefined ? {} : { isIdentityCertificate },
    found: faults,
    context: createLaterContext(deps, new Map(files.map(({ field, mediaType }) => [field, mediaType]))),
  });
}

type StepStart = { readonly answer: Output } | { readonly leased: LeasedStep; readonly rejected: number };

interface IdentityCall extends Pick<FlowKey, 'partnerId'> {
  readonly input: Input;
  readonly faults: readonly ErrorDetail[];
}

function begin(deps: ValidateIdentityDeps, { input, faults, partnerId }: IdentityCall): Promise<StepStart> {
  return deps.database.transaction(async (em) => {
    const flow = await lockFlow(em, { partnerId, requestId: input.requestId }, deps);
    const { request, progress } = flow;
    const attempts = await em.find(IdentityAttemptEntity, { requestId: request.id });
    const repeated = attempts.find(({ callId }) => callId === input.callId);
    // Rows of attempts can be deleted, entries of the timeline cannot.
    const { rejectedIdentities } = flow.history;
    const rejected = Math.max(rejectedIdentities, attempts.filter(isRejected).length);
    if (repeated) return { answer: toOutput(repeated, { rejected, nextStep: determineNextStep(progress) }) };
    requireBeforeExpiry(flow, deps.clock());
    if (determineNextStep(progress) !== 'IDENTITY_VALIDATION') throw createStepNotDue(progress);
    if (faults.length > 0) throw refuseBody(faults);
    return { leased: await leaseWithFiles(deps, em, { flow, evidence: input.evidence }), rejected };
  });
}

/** Leases the step with the files of this attempt. They are checked, and compared with the proof of life. */
async function leaseWithFiles(
  { rows }: ValidateIdentityDeps,
  em: EntityManager,
  { flow, evidence }: { readonly flow: Flow } & Pick<Input, 'evidence'>,
) {
  const { request } = flow;
  const { id } = request;
  const evidences = toEvidenceRows(id, evidence);
  await em.nativeDelete(EvidenceEntity, { requestId: id });
  request.evidenceSha256 = digestEvidence(evidences.map(toOutline));
  request.decision = null;
  return leaseStep(em, flow, {
    columns: {
      evidence_key: evidence?.key ?? null,
      ...protectRegistered(rows, toRegistered(toStored(request))),
    },
    inserts: [{ table: 'evidence', rows: evidences }],
  });
}

function nextAttempt({ request }: LeasedStep): number {
  return request.validationAttempt + 1;
}

interface Investigation {
  readonly decision: Decision;
  readonly observations: Request['observations'];
}

async function investigate(deps: ValidateIdentityDeps, leased: LeasedStep): Promise<Investigation> {
  const { request } = leased;
  const job = { requestId: request.id, attempt: nextAttempt(leased) };
  // The partner waits, so all calls run at once, though a refused file makes the registries' answers useless.
  const [files, person, company] = await Promise.all([
    checkFiles(deps, {
      requestId: request.id,
      partnerId: request.partnerId,
      evidenceSha256: request.evidenceSha256,
    }),
    askPerson(deps, job, request),
    askCompany(deps, job, request),
  ]);
  const { reviewPolicy } = await deps.partners.get(request.partnerId);
  const decision = decide(
    { evidenceErrors: [], files: judgeFiles(files), person, company },
    {
      family: request.family,
      applicationType: request.applicationType,
      companySocialReason: getDetailText(request.details, 'companySocialReason'),
      reviewPolicy,
      needsClaim: false,
      videoFromAge: null,
      today: formatLocalDate(deps.clock(), deps.timeZone),
    },
  );
  return { decision, observations: updateFileObservations(files, request.observations, deps.clock()) };
}

interface IdentityResult extends Investigation {
  /** Number of earlier attempts that were rejected. */
  readonly rejected: number;
  readonly callId: string;
}

async function recordResult(
  deps: ValidateIdentityDeps,
  leased: LeasedStep,
  result: IdentityResult,
): Promise<Output> {
  const { decision, observations, rejected } = result;
  // Each investigation has its own number, also one without a result; one that a crash ended keeps it.
  const columns = { validation_attempt: nextAttempt(leased), observations: JSON.stringify(observations) };
  if ('code' in decision && decision.code === 'EXTERNAL_SERVICE_UNAVAILABLE') {
    await recordStep(deps, leased, { columns });
    const { code, text } = decision;
    throw new AppError({ code, text, retryAfterSeconds });
  }
  const { after, ...outcome } = planOutcome(decision, rejected);
  const attempt = toAttempt(deps, leased, result);
  await recordStep(deps, leased, {
    ...outcome,
    ...('code' in decision ? {} : { decision: buildLivenessDecision(deps, leased, result) }),
    columns,
    inserts: [{ table: 'identity_attempt', rows: [toRow(attempt)] }],
  });
  const nextStep = determineNextStep({ ...leased.progress, ...after });
  return toOutput(attempt, { rejected: rejected + ('code' in decision ? 1 : 0), nextStep });
}

/** Returns the decision on a proven identity: the proof of life is left, then the review if one is needed. */
function buildLivenessDecision(
  { clock }: ValidateIdentityDeps,
  leased: LeasedStep,
  { decision, observations }: Pick<IdentityResult, 'decision' | 'observations'>,
): RequestDecision {
  return {
    outcome: 'LIVENESS',
    attempt: nextAttempt(leased),
    evidenceSha256: leased.request.evidenceSha256,
    failures: leased.history.failures,
    checks: listChecks(leased.request.details),
    approvals: [],
    review: decision.trigger === 'askForReview' ? decision.review : null,
    observationsSha256: digestObservations(observations),
    at: clock().toISOString(),
  };
}

const passedState = { status: 'VALIDATING', validationStatus: 'AUTOMATICALLY_VALIDATING' } as const;
const refusedState = { status: 'REFUSED', validationStatus: 'REFUSED' } as const;

type PlannedOutcome = StepOutcome & { readonly after: Partial<FlowProgress> };

function planOutcome(decision: Decision, rejected: number): PlannedOutcome {
  if (!('code' in decision)) return { transition: { trigger: 'passIdentity' }, after: passedState };
  const { code, text } = decision;
  const trigger = 'refuseStep';
  if (decision.trigger === 'refuse') return { transition: { trigger, code, text }, after: refusedState };
  if (rejected + 1 < maxStepAttempts) return { note: { trigger: 'rejectIdentity', code }, after: {} };
  const limit = createLimitText('identity', text);
  return { transition: { trigger, code, text: limit }, after: refusedState };
}

function toAttempt(
  deps: ValidateIdentityDeps,
  { request }: LeasedStep,
  result: IdentityResult,
): IdentityAttempt {
  const { decision, rejected, callId } = result;
  const failed = 'code' in decision;
  return {
    requestId: request.id,
    attempt: rejected + 1,
    callId,
    at: deps.clock(),
    result: failed ? 'REJECTED' : 'APPROVED',
    reasons: failed ? [decision.code] : [],
    review: decision.trigger === 'askForReview' ? decision.review : null,
  } as IdentityAttempt;
}

function toRow(attempt: IdentityAttempt) {
  return {
    request_id: attempt.requestId,
    attempt: attempt.attempt,
    call_id: attempt.callId,
    at: attempt.at,
    result: attempt.result,
    reasons: JSON.stringify(attempt.reasons),
    review: attempt.review === null ? null : JSON.stringify(attempt.review),
  };
}

/** Returns whether a fault ends all attempts. */
function isFinal(code: ErrorCode | undefined): boolean {
  return code !== undefined && (code === 'APPLICANT_UNDERAGE' || code === 'APPLICANT_DECEASED');
}

function toOutput(
  { requestId, result, reasons }: IdentityAttempt,
  { rejected, nextStep }: { rejected: number; nextStep: Output['nextStep'] },
): Output {
  return {
    requestId,
    result,
    nextStep,
    attemptsRemaining: isFinal(reasons[0]) ? 0 : maxStepAttempts - rejected,
    failureReasons: [...reasons],
  };
}
