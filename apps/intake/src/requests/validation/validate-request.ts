import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { Message } from '@rubrica/contracts/messages/messages';
import { AppError, crashpoint, formatLocalDate } from '@rubrica/process';
import type { Handled } from '@rubrica/wiring';
import { crashPoints } from '../../base/crash-points.ts';
import { type ClaimToken, makeClaimToken } from '../claim/claim-link.ts';
import { claimSideEffects } from '../claim/claim-side-effects.ts';
import type { RequestsDeps } from '../deps.ts';
import type { RequestFiles } from '../evidence/evidence-file.ts';
import type { EvidenceDeps } from '../evidence/open-evidence.ts';
import type { FileCheckerDeps } from '../file-checks/file-checker.ts';
import { detailText } from '../request/detail-text.ts';
import { familyPlans } from '../request/family-plans.ts';
import { planSlot } from '../request/issuance-slots.ts';
import { isPassed } from '../request/passed.ts';
import { planTransition } from '../request/plan-transition.ts';
import { digestObservations, registryChecks } from '../request/registered/decision.ts';
import { protectRegistered, type RegisteredData } from '../request/registered/registered-data.ts';
import { requestLeaseSeconds, requestLeases } from '../request/request-lease.ts';
import { changedWords } from '../request/request-words.ts';
import { reviewSideEffects } from '../request/review-side-effects.ts';
import type { ReviewSignalDeps } from '../request/review-signals.ts';
import { type SideEffects, transitionStatement } from '../request/write-transition.ts';
import { askCompany, askPerson, withNames } from './ask-registries.ts';
import {
  type Begun,
  beginValidation,
  handOverValidation,
  leasedForMs,
  renewWaiting,
} from './begin-validation.ts';
import { checkFiles } from './check-files.ts';
import { type Decision, decide } from './decide.ts';
import { judgeFiles, observeFiles } from './judge-files.ts';
import { createPartnerShares } from './partner-shares.ts';
import type { InHand } from './validations-in-hand.ts';

/** Until it is asked again whether the object store, or the checker of files, is back. */
const awayDelayMs = 2_000;
/** Delay of the next try where the partner has its share; all that waits for a place comes back so often. */
const fullShareDelayMs = 5_000;
/** A request that has killed its worker this often is set aside as an error instead of being tried without end. */
const mostAttempts = 10;

type Job = Message<'jobs.validation.requested'>;
type Needs = Pick<
  RequestsDeps,
  'database' | 'clock' | 'newId' | 'rules' | 'timeZone' | 'keyring' | 'rows' | 'registries'
> &
  EvidenceDeps &
  FileCheckerDeps &
  ReviewSignalDeps;

/**
 * Validates the request of a job: lease it (fence), check its files and ask the registries outside any transaction, then
 * write the outcome under the fence. After a crash anywhere before the last commit the lease runs out and the step runs
 * again, with the same attempt number; after it, the job finds nothing to do.
 */
export function createValidateRequest(deps: Needs & { readonly slots: () => number }) {
  const shares = createPartnerShares(deps.slots);
  return async (job: Job): Promise<Handled> => {
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
 * What is done with requests that were registered as begun, by the copy that registered them. Where one cannot be
 * validated now its job goes to the stream; where this copy dies, the lease runs out and the sweeper wakes it.
 */
export function createValidateRegistered(deps: Needs & Pick<RequestsDeps, 'logger'>) {
  const handOver = ({ job, begun }: InHand, counts: boolean) =>
    handOverValidation(deps.database, { ...job, fence: begun.fence, counts });
  return {
    async validate(inHand: InHand): Promise<void> {
      try {
        if ((await validate(deps, inHand)) === 'away') await handOver(inHand, false);
      } catch (err) {
        const { requestId } = inHand.job;
        deps.logger.warn({ err, requestId }, 'a validation will be tried again');
        // Not even this may be possible now: then its lease runs out.
        await handOver(inHand, true).catch(() => undefined);
      }
    },
    handOver: (inHand: InHand): Promise<void> => handOver(inHand, false).catch(() => undefined),
    renew: (waiting: readonly InHand[]): Promise<void> =>
      renewWaiting(deps.database, waiting).catch(() => undefined),
  };
}

async function validate(deps: Needs, { job, begun, files }: InHand): Promise<'recorded' | 'away'> {
  crashpoint(crashPoints.afterValidationBegins);
  const leased = { id: job.requestId, fence: begun.fence, leaseSeconds: requestLeaseSeconds };
  const outcome =
    begun.attempts > mostAttempts
      ? { ...begun, decision: setAside }
      : await requestLeases.whileRenewing(deps.database, leased, () =>
          investigate(deps, { job, begun, files }),
        );
  if (outcome === 'away') return 'away';
  const { decision, ...learned } = outcome;
  crashpoint(crashPoints.beforeValidationOutcome);
  const token =
    decision.trigger === 'approve' ? await makeClaimToken(deps.keyring, job.requestId) : undefined;
  await record(deps, { job, begun: { ...begun, ...learned }, decision, token });
  crashpoint(crashPoints.afterValidationOutcome);
  return 'recorded';
}

/** The copy with the lease may be dead: the job comes again when the lease is over. */
async function waitForLease(deps: Needs, job: Job): Promise<Handled> {
  const leftMs = await leasedForMs(deps.database, job);
  return leftMs === undefined ? undefined : { again: { delayMs: leftMs + 100 } };
}

const setAside: Decision = {
  trigger: 'failValidation',
  code: 'INTERNAL_ERROR',
  text: createText('request.validationIncomplete'),
  failedStep: 'validation',
};

interface Outcome {
  readonly decision: Decision;
  readonly details: Begun['details'];
  readonly observations: Begun['observations'];
}

async function investigate(deps: Needs, { job, begun, files: known }: InHand): Promise<Outcome | 'away'> {
  const files =
    begun.evidenceErrors.length > 0
      ? []
      : await checkFilesOrAway(deps, { requestId: job.requestId, begun, known });
  if (files === 'away') return 'away';
  const fault = judgeFiles(files);
  const hopeless = begun.evidenceErrors.length > 0 || fault !== null;
  const person = hopeless ? null : await askPerson(deps, job, begun);
  const company = hopeless ? null : await askCompany(deps, job, begun);
  const decision = decide(
    { evidenceErrors: begun.evidenceErrors, files: fault, person, company },
    {
      family: begun.family,
      applicationType: begun.applicationType,
      companySocialReason: detailText(begun.details, 'companySocialReason'),
      reviewPolicy: begun.reviewPolicy,
      needsClaim: begun.needsClaim,
      videoFromAge: begun.attachments.includes('authorizationVideo')
        ? null
        : familyPlans[begun.family].videoFromAge,
      today: formatLocalDate(deps.clock(), deps.timeZone),
    },
  );
  const observations = observeFiles(files, begun.observations, deps.clock());
  return { decision, details: withNames(begun.details, person), observations };
}

/** The files could not be checked and are not at fault: nothing is decided, and the job comes again. */
async function checkFilesOrAway(
  deps: Needs,
  { requestId, begun, known }: { requestId: string; begun: Begun; known: RequestFiles | undefined },
) {
  try {
    const { partnerId, evidenceSha256 } = begun.data;
    return await checkFiles(deps, { requestId, partnerId, evidenceSha256 }, known);
  } catch (error) {
    if (error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE') return 'away';
    throw error;
  }
}

interface Decided {
  readonly job: Job;
  readonly begun: Begun;
  readonly decision: Decision;
  readonly token: ClaimToken | undefined;
}

/** Writes the outcome, if this copy still has the lease: the request may be cancelled, or leased by another copy. */
async function record(deps: Needs, outcome: Decided): Promise<void> {
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
  const planned = sideEffectsOf(deps, { ...outcome, now });
  const { namesFromRegistry } = familyPlans[begun.family];
  const learned = {
    observations: JSON.stringify(begun.observations),
    ...(namesFromRegistry ? { details: JSON.stringify(begun.details) } : {}),
    ...protectRegistered(deps.rows, dataAfter({ job, begun, decision, now })),
  };
  const writes = namesFromRegistry ? changedWords(begun.details) : [];
  const sideEffects = { ...planned, writes, columns: { ...learned, ...planned.columns } };
  const written = await deps.database.statement(transitionStatement(leased, plan, context, sideEffects));
  if (written.length > 0 && decision.trigger === 'askForReview')
    deps.reviewSignals.tell({ requestId: job.requestId, change: 'waiting' });
}

/** Parts of the decision that cover reason and observations. */
function shownWith({ observations }: Begun, { review }: Decision & { readonly trigger: 'askForReview' }) {
  return { review, observationsSha256: digestObservations(observations) };
}

/** The registered data with what was learned and decided of them. */
function dataAfter({ job, begun, decision, now }: Omit<Decided, 'token'> & { now: Date }): RegisteredData {
  const { namesFromRegistry } = familyPlans[begun.family];
  const details = namesFromRegistry ? begun.details : begun.data.details;
  const data = { ...begun.data, details };
  const { attempt } = job;
  const { failures } = begun;
  const checks = registryChecks(details);
  const { evidenceSha256 } = data;
  const passed = { attempt, evidenceSha256, failures, checks, approvals: [], at: now.toISOString() };
  if (decision.trigger === 'askForReview')
    return {
      ...data,
      reviewPolicy: decision.review.policy,
      decision: { outcome: 'REVIEW', ...passed, ...shownWith(begun, decision) },
    };
  return isPassed(decision.trigger) ? { ...data, decision: { outcome: 'PASSED', ...passed } } : data;
}

function sideEffectsOf(
  deps: Needs,
  { job, begun, decision, token, now }: Decided & { readonly now: Date },
): SideEffects {
  if (decision.trigger === 'askForReview') return reviewSideEffects(decision.review, now);
  if (!token) return {};
  const { details, language } = begun;
  const { claimWindowDays } = deps.rules;
  const { rows } = deps;
  const claim = { requestId: job.requestId, details, language, token, claimWindowDays, now, rows };
  return claimSideEffects({ ...claim, mailId: deps.newId() });
}
