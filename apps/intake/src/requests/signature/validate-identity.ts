import type { EntityManager } from '@mikro-orm/postgresql';
import { maxStepAttempts } from '@rubrica/contracts/rest/api-flow';
import type * as apiFlowContract from '@rubrica/contracts/services/schemas/api-flow';
import type { ErrorCode, ErrorDetail } from '@rubrica/contracts/shared/errors';
import { AppError, crashpoint, formatLocalDate } from '@rubrica/process';
import type { UseCase } from '@rubrica/wiring';
import { crashPoints } from '../../base/crash-points.ts';
import { refuseBody } from '../../base/errors.ts';
import type { RequestsDeps } from '../deps.ts';
import { evidenceRows } from '../evidence/evidence-rows.ts';
import type { EvidenceDeps } from '../evidence/open-evidence.ts';
import type { FileCheckerDeps } from '../file-checks/file-checker.ts';
import { refusesBody } from '../registration/family-rules.ts';
import { identityCertificateFlag, identityFiles } from '../registration/regular-rules.ts';
import { applyRules, laterContext } from '../registration/rules.ts';
import { detailText } from '../request/detail-text.ts';
import {
  digestObservations,
  type Decision as RequestDecision,
  registryChecks,
} from '../request/registered/decision.ts';
import { digestEvidence, toOutline } from '../request/registered/evidence-outline.ts';
import { protectRegistered, toRegistered, toStored } from '../request/registered/registered-data.ts';
import { EvidenceEntity, type Request } from '../request/request.entity.ts';
import { askCompany, askPerson } from '../validation/ask-registries.ts';
import { checkFiles } from '../validation/check-files.ts';
import { type Decision, decide } from '../validation/decide.ts';
import { judgeFiles, observeFiles } from '../validation/judge-files.ts';
import { createLimitText, type Flow, type FlowNeeds, lockFlow, type OwnFlow, refuseLate } from './flow.ts';
import { type IdentityAttempt, IdentityAttemptEntity } from './identity-attempt.entity.ts';
import { type LeasedStep, leaseStep, recordStep, type StepOutcome, whileLeased } from './leased-step.ts';
import { nextStepOf, type Progress, stepNotDue } from './next-step.ts';

type ValidateIdentity = UseCase<'intake', 'signature.validateIdentity'>;
type Input = apiFlowContract.ValidateIdentityInput;
type Output = apiFlowContract.IdentityValidated;
type Needs = FlowNeeds &
  Pick<RequestsDeps, 'registries' | 'partners' | 'timeZone'> &
  EvidenceDeps &
  FileCheckerDeps;

const retryAfterSeconds = 5;

/**
 * Looks at the identity of a request: its files take the place of those of the attempt before, they are checked and
 * the registries asked outside any transaction, and the result is written under the fence with the attempt that it uses up. Where
 * the process dies before that, nothing was used up: once the lease is over the step may be called again, and asks
 * the registries under the same number.
 * @throws AppError 400 for faults of the body, REQUEST_NOT_FOUND, REQUEST_STATE_NOT_ALLOWED,
 *   IDENTITY_CERTIFICATE_FLAG_REQUIRED, EXTERNAL_SERVICE_UNAVAILABLE
 */
export function createValidateIdentity(deps: Needs): ValidateIdentity {
  return async (input, { caller: { partnerId } }) => {
    const faults = faultsOf(input, deps);
    if (faults.some(refusesBody)) throw refuseBody(faults);
    const begun = await begin(deps, { input, faults, partnerId });
    if ('answer' in begun) return begun.answer;
    const { leased, rejected } = begun;
    return whileLeased(deps.database, leased, async () => {
      const found = await investigate(deps, leased);
      crashpoint(crashPoints.beforeIdentityOutcome);
      const answer = await record(deps, leased, { ...found, rejected, callId: input.callId });
      crashpoint(crashPoints.afterIdentityOutcome);
      return answer;
    });
  };
}

function isRejected({ result }: IdentityAttempt): boolean {
  return result === 'REJECTED';
}

function faultsOf({ isIdentityCertificate, faults, files }: Input, deps: Needs): readonly ErrorDetail[] {
  return applyRules([identityFiles, identityCertificateFlag], {
    fields: isIdentityCertificate === undefined ? {} : { isIdentityCertificate },
    found: faults,
    context: laterContext(deps, new Map(files.map(({ field, mediaType }) => [field, mediaType]))),
  });
}

type Begun = { readonly answer: Output } | { readonly leased: LeasedStep; readonly rejected: number };

interface Call extends Pick<OwnFlow, 'partnerId'> {
  readonly input: Input;
  readonly faults: readonly ErrorDetail[];
}

function begin(deps: Needs, { input, faults, partnerId }: Call): Promise<Begun> {
  return deps.database.transaction(async (em) => {
    const flow = await lockFlow(em, { partnerId, requestId: input.requestId }, deps);
    const { request, progress } = flow;
    const attempts = await em.find(IdentityAttemptEntity, { requestId: request.id });
    const repeated = attempts.find(({ callId }) => callId === input.callId);
    // Rows of attempts can be deleted, entries of the timeline cannot.
    const { rejectedIdentities } = flow.history;
    const rejected = Math.max(rejectedIdentities, attempts.filter(isRejected).length);
    if (repeated) return { answer: toOutput(repeated, { rejected, nextStep: nextStepOf(progress) }) };
    refuseLate(flow, deps.clock());
    if (nextStepOf(progress) !== 'IDENTITY_VALIDATION') throw stepNotDue(progress);
    if (faults.length > 0) throw refuseBody(faults);
    return { leased: await lease(deps, em, { flow, evidence: input.evidence }), rejected };
  });
}

/** The files of this attempt are what is checked and what the proof of life is compared with. */
async function lease(
  { rows }: Needs,
  em: EntityManager,
  { flow, evidence }: { readonly flow: Flow } & Pick<Input, 'evidence'>,
) {
  const { request } = flow;
  const { id } = request;
  const evidences = evidenceRows(id, evidence);
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

function numberOf({ request }: LeasedStep): number {
  return request.validationAttempt + 1;
}

interface Found {
  readonly decision: Decision;
  readonly observations: Request['observations'];
}

async function investigate(deps: Needs, leased: LeasedStep): Promise<Found> {
  const { request } = leased;
  const job = { requestId: request.id, attempt: numberOf(leased) };
  // The partner waits, so all is asked at once, though a refused file makes the registries' answers useless.
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
      companySocialReason: detailText(request.details, 'companySocialReason'),
      reviewPolicy,
      needsClaim: false,
      videoFromAge: null,
      today: formatLocalDate(deps.clock(), deps.timeZone),
    },
  );
  return { decision, observations: observeFiles(files, request.observations, deps.clock()) };
}

interface Result extends Found {
  /** Attempts before this one that were rejected. */
  readonly rejected: number;
  readonly callId: string;
}

async function record(deps: Needs, leased: LeasedStep, result: Result): Promise<Output> {
  const { decision, observations, rejected } = result;
  // Each look has a number of its own, also one that came to nothing; a look that a crash ended keeps it.
  const columns = { validation_attempt: numberOf(leased), observations: JSON.stringify(observations) };
  if ('code' in decision && decision.code === 'EXTERNAL_SERVICE_UNAVAILABLE') {
    await recordStep(deps, leased, { columns });
    const { code, text } = decision;
    throw new AppError({ code, text, retryAfterSeconds });
  }
  const { after, ...outcome } = outcomeOf(decision, rejected);
  const attempt = attemptOf(deps, leased, result);
  await recordStep(deps, leased, {
    ...outcome,
    ...('code' in decision ? {} : { decision: livenessDue(deps, leased, result) }),
    columns,
    inserts: [{ table: 'identity_attempt', rows: [toRow(attempt)] }],
  });
  const nextStep = nextStepOf({ ...leased.progress, ...after });
  return toOutput(attempt, { rejected: rejected + ('code' in decision ? 1 : 0), nextStep });
}

/** The identity is proven, and the proof of life is left; after it the review, where one is needed. */
function livenessDue(
  { clock }: Needs,
  leased: LeasedStep,
  { decision, observations }: Pick<Result, 'decision' | 'observations'>,
): RequestDecision {
  return {
    outcome: 'LIVENESS',
    attempt: numberOf(leased),
    evidenceSha256: leased.request.evidenceSha256,
    failures: leased.history.failures,
    checks: registryChecks(leased.request.details),
    approvals: [],
    review: decision.trigger === 'askForReview' ? decision.review : null,
    observationsSha256: digestObservations(observations),
    at: clock().toISOString(),
  };
}

const passed = { status: 'VALIDATING', validationStatus: 'AUTOMATICALLY_VALIDATING' } as const;
const refused = { status: 'REFUSED', validationStatus: 'REFUSED' } as const;

type Planned = StepOutcome & { readonly after: Partial<Progress> };

function outcomeOf(decision: Decision, rejected: number): Planned {
  if (!('code' in decision)) return { transition: { trigger: 'passIdentity' }, after: passed };
  const { code, text } = decision;
  const trigger = 'refuseStep';
  if (decision.trigger === 'refuse') return { transition: { trigger, code, text }, after: refused };
  if (rejected + 1 < maxStepAttempts) return { note: { trigger: 'rejectIdentity', code }, after: {} };
  const limit = createLimitText('identity', text);
  return { transition: { trigger, code, text: limit }, after: refused };
}

function attemptOf(deps: Needs, { request }: LeasedStep, result: Result): IdentityAttempt {
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

function toRow(one: IdentityAttempt) {
  return {
    request_id: one.requestId,
    attempt: one.attempt,
    call_id: one.callId,
    at: one.at,
    result: one.result,
    reasons: JSON.stringify(one.reasons),
    review: one.review === null ? null : JSON.stringify(one.review),
  };
}

/** A final fault leaves none of the attempts. */
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
