import type { Message } from '@rubrica/contracts';
import { FenceLost } from '@rubrica/database';
import { crashpoint, formatLocalDate } from '@rubrica/service';
import { crashPoints } from '../crash-points.ts';
import type { Dependencies } from '../dependencies.ts';
import { type ClaimToken, makeClaimToken, sendClaimMail } from '../mail/claim-link.ts';
import type { CompanyAnswer, PersonAnswer, Registries } from '../registry/registry.ts';
import { applyTransition } from '../request/apply-transition.ts';
import { lockById } from '../request/request.repository.ts';
import { type Begun, beginValidation } from './begin-validation.ts';
import { type Decision, decide } from './decide.ts';

const DAY_MS = 24 * 60 * 60_000;
const registryTimeoutMs = 20_000;
/** A request that has killed its worker this often is set aside as an error instead of being tried for ever. */
const mostAttempts = 10;

type Job = Message<'jobs.validation.requested'>;
type Needs = Pick<Dependencies, 'database' | 'clock' | 'newId' | 'rules' | 'timeZone' | 'keyring'> & {
  readonly registries: Registries;
};

/**
 * Validates one request: take it up (fence), ask the registries outside any transaction, then write the outcome
 * under the fence. A crash anywhere before the last commit leaves the lease to run out and the step to be run
 * again, with the same attempt number; after it, the job finds nothing to do.
 */
export const createValidateRequest =
  (deps: Needs) =>
  async (job: Job): Promise<undefined> => {
    const begun = await beginValidation(deps.database, { ...job, now: deps.clock() });
    if (!begun) return;
    crashpoint(crashPoints.afterValidationBegins);
    const decision = begun.attempts > mostAttempts ? setAside : await investigate(deps, job, begun);
    crashpoint(crashPoints.beforeValidationOutcome);
    const token = decision.trigger === 'approve' ? await makeClaimToken(deps.keyring) : undefined;
    try {
      await record(deps, { job, begun, decision, token });
    } catch (error) {
      // Cancelled meanwhile, or taken over by another copy: what is left to do is theirs.
      if (!(error instanceof FenceLost)) throw error;
    }
    crashpoint(crashPoints.afterValidationOutcome);
  };

const setAside: Decision = {
  trigger: 'failValidation',
  code: 'INTERNAL_ERROR',
  message: 'The validation could not be completed; it may be tried again',
  failedStep: 'validation',
};

const investigate = async (deps: Needs, job: Job, begun: Begun): Promise<Decision> => {
  const hopeless = begun.evidenceErrors.length > 0;
  const person = hopeless ? null : await askPerson(deps, job, begun);
  const company = hopeless ? null : await askCompany(deps, begun);
  return decide(
    { evidenceErrors: begun.evidenceErrors, person, company },
    {
      applicationType: begun.applicationType,
      needsClaim: begun.needsClaim,
      today: formatLocalDate(deps.clock(), deps.timeZone),
    },
  );
};

const text = (details: Begun['details'], name: string): string | null => {
  const value = details[name];
  return typeof value === 'string' ? value : null;
};

const askPerson = (
  { registries }: Needs,
  job: Job,
  { identificationNumber, details }: Begun,
): Promise<PersonAnswer> => {
  const given = text(details, 'applicantName');
  const surname = text(details, 'applicantLastName');
  return registries.lookUpPerson({
    requestId: job.requestId,
    attempt: job.attempt,
    identificationNumber,
    fingerCode: text(details, 'fingerCode'),
    names:
      given && surname ? { given, surname, secondSurname: text(details, 'applicantSecondLastName') } : null,
    signal: AbortSignal.timeout(registryTimeoutMs),
  });
};

const askCompany = async ({ registries }: Needs, begun: Begun): Promise<CompanyAnswer | null> => {
  const ruc = text(begun.details, 'companyRuc');
  if (ruc === null) return null;
  return registries.lookUpCompany({
    ruc,
    identificationNumber: begun.identificationNumber,
    signal: AbortSignal.timeout(registryTimeoutMs),
  });
};

const record = (
  deps: Needs,
  outcome: { job: Job; begun: Begun; decision: Decision; token: ClaimToken | undefined },
): Promise<void> =>
  deps.database.transaction(async (em) => {
    const { job, begun, decision, token } = outcome;
    const request = await lockById(em, job.requestId);
    // Cancelled, or taken up by another copy, while the registries were asked.
    if (request?.fence !== begun.fence)
      throw new FenceLost({ table: 'request', key: job.requestId, fence: begun.fence });
    const now = deps.clock();
    if (token) {
      request.claimExpiresAt = new Date(now.getTime() + deps.rules.claimWindowDays * DAY_MS);
      await sendClaimMail(em, request, { token, id: deps.newId(), now });
    }
    await applyTransition(em, request, decision.trigger, {
      ...decision,
      now,
      actor: 'service:intake',
      newId: deps.newId,
      errorWindowDays: deps.rules.errorWindowDays,
    });
  });
