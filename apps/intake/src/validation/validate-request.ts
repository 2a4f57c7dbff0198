import type { Message } from '@rubrica/contracts/messages/messages';
import { AppError, crashpoint, formatLocalDate } from '@rubrica/process';
import type { Handled } from '@rubrica/wiring';
import { type ClaimToken, makeClaimToken } from '../claim/claim-link.ts';
import { claimSideEffects } from '../claim/claim-side-effects.ts';
import type { IntakeDeps } from '../context.ts';
import { crashPoints } from '../crash-points.ts';
import type { CompanyAnswer, PersonAnswer, PersonNames } from '../outside/registry/registry.ts';
import { detailText } from '../request/detail-text.ts';
import { familyPlans } from '../request/family-plans.ts';
import { planTransition } from '../request/plan-transition.ts';
import { requestLeaseSeconds, requestLeases } from '../request/request-lease.ts';
import { reviewSideEffects } from '../request/review-side-effects.ts';
import { type SideEffects, transitionStatement } from '../request/write-transition.ts';
import { type Begun, beginValidation, leasedForMs } from './begin-validation.ts';
import { checkFiles } from './check-files.ts';
import { type Decision, decide } from './decide.ts';
import { judgeFiles, observeFiles } from './judge-files.ts';

const registryTimeoutMs = 10_000;
/** Until it is asked again whether the object store, or the checker of files, is back. */
const awayDelayMs = 2_000;
/** A request that has killed its worker this often is set aside as an error instead of being tried without end. */
const mostAttempts = 10;

type Job = Message<'jobs.validation.requested'>;
type Needs = Pick<
  IntakeDeps,
  | 'database'
  | 'clock'
  | 'newId'
  | 'rules'
  | 'timeZone'
  | 'keyring'
  | 'rows'
  | 'registries'
  | 'openEvidence'
  | 'fileChecker'
>;

/**
 * Validates one request: lease it (fence), check its files and ask the registries outside any transaction, then
 * write the outcome under the fence. After a crash anywhere before the last commit the lease runs out and the step runs
 * again, with the same attempt number; after it, the job finds nothing to do.
 */
export function createValidateRequest(deps: Needs) {
  return async (job: Job): Promise<Handled> => {
    const begun = await beginValidation(deps, { ...job, now: deps.clock() });
    if (!begun) return waitForLease(deps, job);
    crashpoint(crashPoints.afterValidationBegins);
    const leased = { id: job.requestId, fence: begun.fence };
    const outcome =
      begun.attempts > mostAttempts
        ? { ...begun, decision: setAside }
        : await requestLeases.whileRenewing(
            deps.database,
            { ...leased, leaseSeconds: requestLeaseSeconds },
            () => investigate(deps, job, begun),
          );
    if (outcome === 'away') {
      await requestLeases.giveBack(deps.database, leased);
      return { again: { delayMs: awayDelayMs } };
    }
    const { decision, ...learned } = outcome;
    crashpoint(crashPoints.beforeValidationOutcome);
    const token =
      decision.trigger === 'approve' ? await makeClaimToken(deps.keyring, job.requestId) : undefined;
    await record(deps, { job, begun: { ...begun, ...learned }, decision, token });
    crashpoint(crashPoints.afterValidationOutcome);
    return undefined;
  };
}

/** The copy with the lease may be dead: the job comes again when the lease is over. */
async function waitForLease(deps: Needs, job: Job): Promise<Handled> {
  const leftMs = await leasedForMs(deps.database, job);
  return leftMs === undefined ? undefined : { again: { delayMs: leftMs + 100 } };
}

const setAside: Decision = {
  trigger: 'failValidation',
  code: 'INTERNAL_ERROR',
  message: 'The validation could not be completed; it may be tried again',
  failedStep: 'validation',
};

interface Outcome {
  readonly decision: Decision;
  readonly details: Begun['details'];
  readonly observations: Begun['observations'];
}

async function investigate(deps: Needs, job: Job, begun: Begun): Promise<Outcome | 'away'> {
  const files = begun.evidenceErrors.length > 0 ? [] : await checkFilesOrAway(deps, job.requestId);
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
async function checkFilesOrAway(deps: Needs, requestId: string) {
  try {
    return await checkFiles(deps, requestId);
  } catch (error) {
    if (error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE') return 'away';
    throw error;
  }
}

/** The certificate, the mails and the reviewers need a name, and the registry's is the right one. */
function withNames(details: Begun['details'], person: PersonAnswer | null): Begun['details'] {
  const names = person?.outcome === 'found' ? person.person.names : null;
  if (names === null) return details;
  const { applicantSecondLastName: _former, ...others } = details;
  return {
    ...others,
    applicantName: names.given,
    applicantLastName: names.surname,
    ...(names.secondSurname === null ? {} : { applicantSecondLastName: names.secondSurname }),
  };
}

function namesIn(details: Begun['details']): PersonNames | null {
  const [given, surname] = [detailText(details, 'applicantName'), detailText(details, 'applicantLastName')];
  if (!given || !surname) return null;
  return { given, surname, secondSurname: detailText(details, 'applicantSecondLastName') };
}

type Asking = Pick<IntakeDeps, 'registries'>;

export function askPerson(
  { registries }: Asking,
  job: Job,
  { family, identificationNumber, details }: Pick<Begun, 'family' | 'identificationNumber' | 'details'>,
): Promise<PersonAnswer> {
  return registries.lookUpPerson({
    requestId: job.requestId,
    attempt: job.attempt,
    identificationNumber,
    fingerCode: detailText(details, 'fingerCode'),
    names: familyPlans[family].namesFromRegistry ? null : namesIn(details),
    signal: AbortSignal.timeout(registryTimeoutMs),
  });
}

export async function askCompany(
  { registries }: Asking,
  job: Job,
  begun: Pick<Begun, 'identificationNumber' | 'details'>,
): Promise<CompanyAnswer | null> {
  const ruc = detailText(begun.details, 'companyRuc');
  if (ruc === null) return null;
  return registries.lookUpCompany({
    requestId: job.requestId,
    attempt: job.attempt,
    ruc,
    identificationNumber: begun.identificationNumber,
    signal: AbortSignal.timeout(registryTimeoutMs),
  });
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
  const plan = planTransition(begunState, decision.trigger, { ...decision, newId: deps.newId });
  const context = {
    ...decision,
    now,
    actor: 'service:intake',
    errorWindowDays: deps.rules.errorWindowDays,
    retention: deps.rules.retention,
  };
  const leased = { id: job.requestId, fence: begun.fence };
  const planned = sideEffectsOf(deps, { ...outcome, now });
  const learned = {
    observations: JSON.stringify(begun.observations),
    ...(familyPlans[begun.family].namesFromRegistry ? { details: JSON.stringify(begun.details) } : {}),
  };
  const sideEffects = { ...planned, columns: { ...learned, ...planned.columns } };
  await deps.database.statement(transitionStatement(leased, plan, context, sideEffects));
}

function sideEffectsOf(
  deps: Needs,
  { job, begun, decision, token, now }: Decided & { readonly now: Date },
): SideEffects {
  if (decision.trigger === 'askForReview') return reviewSideEffects(decision.review, now);
  if (!token) return {};
  const { details, language } = begun;
  const { claimWindowDays } = deps.rules;
  const claim = { requestId: job.requestId, details, language, token, claimWindowDays, now };
  return claimSideEffects({ ...claim, mailId: deps.newId() });
}
