import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { Message } from '@rubrica/contracts/messages/messages';
import { crashpoint } from '@rubrica/process/crashpoint';
import { AppError } from '@rubrica/process/errors';
import { formatLocalDate } from '@rubrica/process/time';
import type { MessageOutcome } from '@rubrica/wiring';
import { crashPoints } from '../../base/crash-points.ts';
import { type ClaimToken, createClaimToken } from '../claim/claim-link.ts';
import { claimSideEffects } from '../claim/claim-side-effects.ts';
import type { RequestsDeps } from '../deps.ts';
import type { RequestFiles } from '../evidence/evidence-file.ts';
import type { EvidenceDeps } from '../evidence/open-evidence.ts';
import type { FileCheckerDeps } from '../file-checks/file-checker.ts';
import { isApprovalTrigger } from '../request/approval-trigger.ts';
import { getDetailText } from '../request/detail-text.ts';
import { familyPlans } from '../request/family-plans.ts';
import { planSlot } from '../request/issuance-slots.ts';
import { planTransition } from '../request/plan-transition.ts';
import { digestObservations, listChecks } from '../request/registered/decision.ts';
import { protectRegistered, type RegisteredData } from '../request/registered/registered-data.ts';
import { requestLeaseSeconds, requestLeases } from '../request/request-lease.ts';
import { reviewSideEffects } from '../request/review-side-effects.ts';
import type { ReviewSignalDeps } from '../request/review-signals.ts';
import { replaceTermsWrites } from '../request/search-terms.ts';
import { type SideEffects, transitionStatement } from '../request/write-transition.ts';
import { askCompany, askPerson, withNames } from './ask-registries.ts';
import {
  beginValidation,
  findLeaseLeftMs,
  handOverValidation,
  renewQueuedLeases,
  type ValidationContext,
} from './begin-validation.ts';
import { checkFiles } from './check-files.ts';
import { type Decision, decide } from './decide.ts';
import { judgeFiles, updateFileObservations } from './judge-files.ts';
import type { LocalValidationWork, PendingValidation } from './local-validation-queue.ts';
import { createPartnerShares } from './partner-shares.ts';

/** Delay until the next try if the object store or the file checker does not answer. */
const awayDelayMs = 2_000;
/**
 * Delay of the next try if the partner has its share; everything that waits for a slot comes back after it.
 */
const fullShareDelayMs = 5_000;
/**
 * Limit of attempts. A request that has killed its worker this often becomes an error instead of being tried
 * without end.
 */
const maxAttempts = 10;

type Job = Message<'jobs.validation.requested'>;
type ValidateRequestDeps = Pick<
  RequestsDeps,
  'database' | 'clock' | 'newId' | 'rules' | 'timeZone' | 'keyring' | 'rows' | 'registries'
> &
  EvidenceDeps &
  FileCheckerDeps &
  ReviewSignalDeps;

/**
 * Validates the request of a job. It leases the request (fence), and checks its files and asks the registries
 * outside any transaction. Then it writes the outcome under the fence. After a crash before the last commit
 * the lease runs out, and the step runs again with the same attempt number. After the commit the job finds
 * nothing to do.
 */
export function createValidateRequest(deps: ValidateRequestDeps & { readonly slots: () => number }) {
  const shares = createPartnerShares(deps.slots);
  return async (job: Job): Promise<MessageOutcome> => {
    const begun = await beginValidation(deps, { ...job, now: deps.clock() });
    if (!begun) return waitForLease(deps, job);
    if ('parkedMs' in begun) return { again: { delayMs: begun.parkedMs } };
    const { partnerId } = begun.data;
    const isInTurn = shares.enter(partnerId);
    try {
      if (isInTurn && (await validate(deps, { job, begun })) === 'recorded') return undefined;
    } finally {
      if (isInTurn) shares.leave(partnerId);
    }
    await requestLeases.giveBack(deps.database, { id: job.requestId, fence: begun.fence });
    return { again: { delayMs: isInTurn ? awayDelayMs : fullShareDelayMs } };
  };
}

/**
 * Creates the validation of requests that were registered as begun, by the copy that registered them. If one
 * cannot be validated now, its job goes to the stream. If this copy dies, the lease runs out and the sweeper
 * wakes the request.
 */
export function createLocalValidationWork(
  deps: ValidateRequestDeps & Pick<RequestsDeps, 'logger'>,
): LocalValidationWork {
  const handOver = ({ job, begun }: PendingValidation, counts: boolean) =>
    handOverValidation(deps.database, { ...job, fence: begun.fence, counts });
  return {
    async validate(pending) {
      try {
        if ((await validate(deps, pending)) === 'away') await handOver(pending, false);
      } catch (err) {
        const { requestId } = pending.job;
        deps.logger.warn({ err, requestId }, 'validation failed; will be retried');
        // Even this may be impossible now: then its lease runs out.
        await handOver(pending, true).catch(() => undefined);
      }
    },
    handOver: (pending) => handOver(pending, false).catch(() => undefined),
    renew: (waiting) => renewQueuedLeases(deps.database, waiting).catch(() => undefined),
  };
}

async function validate(
  deps: ValidateRequestDeps,
  { job, begun, files }: PendingValidation,
): Promise<'recorded' | 'away'> {
  crashpoint(crashPoints.afterValidationBegins);
  const leased = { id: job.requestId, fence: begun.fence, leaseSeconds: requestLeaseSeconds };
  const outcome =
    begun.attempts > maxAttempts
      ? { ...begun, decision: abandonDecision }
      : await requestLeases.whileRenewing(deps.database, leased, () =>
          investigate(deps, { job, begun, files }),
        );
  if (outcome === 'away') return 'away';
  const { decision, ...findings } = outcome;
  crashpoint(crashPoints.beforeValidationOutcome);
  const token =
    decision.trigger === 'approve' ? await createClaimToken(deps.keyring, job.requestId) : undefined;
  await recordDecision(deps, { job, begun: { ...begun, ...findings }, decision, token });
  crashpoint(crashPoints.afterValidationOutcome);
  return 'recorded';
}

/**
 * Returns when the job comes again: the copy with the lease may be dead, so it comes when the lease is over.
 */
async function waitForLease(deps: ValidateRequestDeps, job: Job): Promise<MessageOutcome> {
  const leftMs = await findLeaseLeftMs(deps.database, job);
  return leftMs === undefined ? undefined : { again: { delayMs: leftMs + 100 } };
}

const abandonDecision: Decision = {
  trigger: 'failValidation',
  code: 'INTERNAL_ERROR',
  text: createText('request.validationIncomplete'),
  failedStep: 'validation',
};

interface Investigation {
  readonly decision: Decision;
  readonly details: ValidationContext['details'];
  readonly observations: ValidationContext['observations'];
}

async function investigate(
  deps: ValidateRequestDeps,
  { job, begun, files: known }: PendingValidation,
): Promise<Investigation | 'away'> {
  const files =
    begun.evidenceErrors.length > 0
      ? []
      : await checkFilesOrAway(deps, { requestId: job.requestId, begun, known });
  if (files === 'away') return 'away';
  const fault = judgeFiles(files);
  const isRefused = begun.evidenceErrors.length > 0 || fault !== null;
  const person = isRefused ? null : await askPerson(deps, job, begun);
  const company = isRefused ? null : await askCompany(deps, job, begun);
  const decision = decide(
    { evidenceErrors: begun.evidenceErrors, files: fault, person, company },
    {
      family: begun.family,
      applicationType: begun.applicationType,
      companySocialReason: getDetailText(begun.details, 'companySocialReason'),
      reviewPolicy: begun.reviewPolicy,
      needsClaim: begun.needsClaim,
      videoFromAge: begun.attachments.includes('authorizationVideo')
        ? null
        : familyPlans[begun.family].videoFromAge,
      today: formatLocalDate(deps.clock(), deps.timeZone),
    },
  );
  const observations = updateFileObservations(files, begun.observations, deps.clock());
  return { decision, details: withNames(begun.details, person), observations };
}

/**
 * Checks the files. `away`: they could not be checked and are not at fault; nothing is decided, and the job
 * comes again.
 */
async function checkFilesOrAway(
  deps: ValidateRequestDeps,
  {
    requestId,
    begun,
    known,
  }: { requestId: string; begun: ValidationContext; known: RequestFiles | undefined },
) {
  try {
    const { partnerId, evidenceSha256 } = begun.data;
    return await checkFiles(deps, { requestId, partnerId, evidenceSha256 }, known);
  } catch (error) {
    if (error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE') return 'away';
    throw error;
  }
}

interface ValidationOutcome {
  readonly job: Job;
  readonly begun: ValidationContext;
  readonly decision: Decision;
  readonly token: ClaimToken | undefined;
}

/**
 * Writes the outcome, if this copy still has the lease: the request may be cancelled, or leased by another
 * copy.
 */
async function recordDecision(deps: ValidateRequestDeps, outcome: ValidationOutcome): Promise<void> {
  const { job, begun, decision } = outcome;
  const now = deps.clock();
  const begunState = {
    id: job.requestId,
    status: 'VALIDATING',
    validationStatus: 'AUTOMATICALLY_VALIDATING',
    validationAttempt: job.attempt,
    generationAttempt: begun.generationAttempt,
    callbackUrl: begun.callbackUrl,
  } as const;
  const { trigger } = decision;
  const slot = await planSlot(deps.database, { partnerId: begun.data.partnerId, trigger });
  const plan = planTransition(begunState, trigger, { ...decision, ...slot, newId: deps.newId });
  const context = {
    ...decision,
    now,
    entries: deps.database.entries,
    rows: deps.rows,
    actor: 'service:intake',
    errorWindowDays: deps.rules.errorWindowDays,
    retention: deps.rules.retention,
  };
  const leased = { id: job.requestId, fence: begun.fence };
  const ownSideEffects = planSideEffects(deps, { ...outcome, now });
  const { namesFromRegistry } = familyPlans[begun.family];
  const findingColumns = {
    observations: JSON.stringify(begun.observations),
    ...(namesFromRegistry ? { details: JSON.stringify(begun.details) } : {}),
    ...protectRegistered(deps.rows, updateData({ job, begun, decision, now })),
  };
  const writes = namesFromRegistry ? replaceTermsWrites(begun.details) : [];
  const sideEffects = {
    ...ownSideEffects,
    writes,
    columns: { ...findingColumns, ...ownSideEffects.columns },
  };
  const written = await deps.database.statement(transitionStatement(leased, plan, context, sideEffects));
  if (written.length > 0 && decision.trigger === 'askForReview')
    deps.reviewSignals.tell({ requestId: job.requestId, change: 'waiting' });
}

/** Returns the parts of the decision that cover reason and observations. */
function toReviewParts(
  { observations }: ValidationContext,
  { review }: Decision & { readonly trigger: 'askForReview' },
) {
  return { review, observationsSha256: digestObservations(observations) };
}

/** Returns the registered data with the findings and the decision. */
function updateData({
  job,
  begun,
  decision,
  now,
}: Omit<ValidationOutcome, 'token'> & { now: Date }): RegisteredData {
  const { namesFromRegistry } = familyPlans[begun.family];
  const details = namesFromRegistry ? begun.details : begun.data.details;
  const data = { ...begun.data, details };
  const { attempt } = job;
  const { failures } = begun;
  const checks = listChecks(details);
  const { evidenceSha256 } = data;
  const passed = { attempt, evidenceSha256, failures, checks, approvals: [], at: now.toISOString() };
  if (decision.trigger === 'askForReview')
    return {
      ...data,
      reviewPolicy: decision.review.policy,
      decision: { outcome: 'REVIEW', ...passed, ...toReviewParts(begun, decision) },
    };
  return isApprovalTrigger(decision.trigger) ? { ...data, decision: { outcome: 'PASSED', ...passed } } : data;
}

function planSideEffects(
  deps: ValidateRequestDeps,
  { job, begun, decision, token, now }: ValidationOutcome & { readonly now: Date },
): SideEffects {
  if (decision.trigger === 'askForReview') return reviewSideEffects(decision.review, now);
  if (!token) return {};
  const { details, language } = begun;
  const { claimWindowDays } = deps.rules;
  const { rows } = deps;
  const claim = { requestId: job.requestId, details, language, token, claimWindowDays, now, rows };
  return claimSideEffects({ ...claim, mailId: deps.newId() });
}
