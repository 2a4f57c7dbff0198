import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import type { ErrorDetail } from '@rubrica/contracts/shared/errors';
import { AppError, errorDetail } from '@rubrica/process/errors';
import { formatLocalDate } from '@rubrica/process/time';
import type { PartnerSettings } from '../../access/partners/partner-directory.ts';
import { refuseBody } from '../../base/errors.ts';
import { registrationAttempt } from '../../outside/registry/registry.ts';
import type { RequestsDeps } from '../deps.ts';
import { computeAge } from '../request/compute-age.ts';
import {
  choosePasswordOrigin,
  determineKind,
  familyPlans,
  toBodyName,
  toCanonicalFields,
} from '../request/family-plans.ts';
import type { DependentInsert } from '../request/one-statement.ts';
import { RequestEntity } from '../request/request.entity.ts';
import { findActiveTerms, toAcceptanceInsert } from '../request/terms-acceptance.ts';
import { checkBody, isBodyFault } from './family-rules.ts';
import type { IssuerEndDeps } from './issuer-end.ts';
import { findWarnings, type Warning } from './warnings.ts';

type Input = requestsContract.RegisterInput;
export type ExamineDeps = Pick<
  RequestsDeps,
  'database' | 'clock' | 'rules' | 'timeZone' | 'registries' | 'peers'
> &
  IssuerEndDeps;

/** Partner that registers a request, and the time. */
export interface RegistrationContext {
  readonly partner: PartnerSettings;
  readonly now: Date;
}

export type ExamineResult =
  /**
   * The referenceTransaction is in use. It is looked up only if something else must be asked of other
   * services.
   */
  | { readonly isRepeat: true }
  | {
      readonly isRepeat: false;
      readonly warnings: readonly Warning[];
      /** Proof that the terms were accepted. */
      readonly sideEffects: readonly DependentInsert[];
    };

/**
 * Makes every check of a registration, in their order of precedence; writes nothing.
 * @throws AppError the code of the first fault: of 400, or of 412 if none is of 400 and the request is no
 *   repeat (409)
 */
export async function examineRegistration(
  input: Input,
  { partner, now }: RegistrationContext,
  deps: ExamineDeps,
): Promise<ExamineResult> {
  // 1. Faults of the body, all at once (400).
  const faults = findBodyFaults(input, { partner, now }, deps);
  if (faults.some(isBodyFault)) throw refuseBody(faults);

  // 2. Faults of a correct body (412), for which the registry and the terms service are asked. A repeat (409) is
  // reported before them, and before others are asked about it.
  const { acceptsTerms, videoFromAge } = familyPlans[input.family];
  let sideEffects: DependentInsert[] = [];
  if (faults.length > 0 || videoFromAge !== null || acceptsTerms) {
    if (await isReferenceTaken(deps, { input, partnerId: partner.id })) return { isRepeat: true };
    const [missingVideo, acceptance] = await Promise.all([
      requireVideo(input, deps),
      acceptsTerms ? checkAcceptedTerms(input, deps) : { unmet: [], inserts: [] },
    ]);
    const all = [...faults, ...missingVideo, ...acceptance.unmet];
    if (all.length > 0) throw refuseBody(all);
    sideEffects = acceptance.inserts;
  }

  // 3. Warnings, which refuse nothing.
  const warnings = findWarnings(toCanonicalFields(input.family, input.fields), {
    now,
    timeZone: deps.timeZone,
    issuerEnd: deps.issuerEnd(),
    appointmentName: toBodyName(input.family, 'expirationDateAppointment'),
    passwordSkipsClaim: skipsClaim(input, partner),
  });
  return { isRepeat: false, warnings, sideEffects };
}

/** Returns whether a password that was sent replaces the agreed claim. */
function skipsClaim({ family, sealedPassword }: Input, { passwordConfiguration }: PartnerSettings): boolean {
  if (sealedPassword === undefined) return false;
  const withoutPassword = choosePasswordOrigin(family, {
    given: false,
    configuration: passwordConfiguration,
  });
  const withPassword = choosePasswordOrigin(family, { given: true, configuration: passwordConfiguration });
  return withoutPassword === 'HOLDER' && withPassword === 'PARTNER';
}

/** Finds the faults of the body alone, whatever else there is. */
export function findBodyFaults(
  input: Input,
  { partner, now }: RegistrationContext,
  deps: Pick<ExamineDeps, 'timeZone' | 'rules'>,
): readonly ErrorDetail[] {
  return checkBody(input.family, buildContext(input, { partner, now, deps }));
}

/** Returns whether the partner has a request of that referenceTransaction, of any family. */
export async function isReferenceTaken(
  { database }: Pick<RequestsDeps, 'database'>,
  { input, partnerId }: { readonly input: Pick<Input, 'fields'>; readonly partnerId: string },
): Promise<boolean> {
  const referenceTransaction = String(input.fields.referenceTransaction);
  return (await database.fork().count(RequestEntity, { partnerId, referenceTransaction })) > 0;
}

function buildContext(
  { fields, faults, files, sealedPassword }: Input,
  { partner, now, deps }: RegistrationContext & { deps: Pick<ExamineDeps, 'timeZone' | 'rules'> },
) {
  return {
    fields,
    found: faults,
    context: {
      now,
      timeZone: deps.timeZone,
      passwordConfiguration: partner.passwordConfiguration,
      // An ill-formed password counts as given: its own fault says what is wrong.
      passwordGiven: sealedPassword !== undefined,
      allowLoopbackCallback: deps.rules.callbackAllowLoopback,
      files: new Map(files.map(({ field, mediaType }) => [field, mediaType])),
    },
  };
}

/** Longest wait of the registration for the registry: validation asks it again. */
const registryTimeoutMs = 2_000;

/**
 * Requires the video (specification 2.3, rule 3), if the identity registry returns the age in time.
 * Everything else it returns is for validation to judge.
 */
async function requireVideo(
  { family, requestId, fields, files }: requestsContract.RegisterInput,
  { registries, clock, timeZone }: Pick<RequestsDeps, 'registries' | 'clock' | 'timeZone'>,
): Promise<readonly ErrorDetail[]> {
  const { videoFromAge } = familyPlans[family];
  if (videoFromAge === null || files.some(({ field }) => field === 'authorizationVideo')) return [];
  const answer = await registries.lookUpPerson({
    requestId,
    attempt: registrationAttempt,
    identificationNumber: String(fields.identificationNumber),
    fingerCode: typeof fields.fingerCode === 'string' ? fields.fingerCode : null,
    names: null,
    signal: AbortSignal.timeout(registryTimeoutMs),
  });
  if (answer.outcome !== 'found') return [];
  if (computeAge(answer.person.birthDate, formatLocalDate(clock(), timeZone)) < videoFromAge) return [];
  const code = 'AUTHORIZATION_VIDEO_REQUIRED';
  return [errorDetail(code, 'authorizationVideo')];
}

const termsField = 'termsAndConditionsId';

function createTermsFault(code: 'NO_ACTIVE_TERMS' | 'TERMS_OUTDATED') {
  return {
    unmet: [errorDetail(code, termsField)],
    inserts: [],
  };
}

/**
 * Checks that the accepted terms are in force (412), and returns the proof of acceptance: which version,
 * when, and from where the partner called.
 * @throws AppError SERVICE_UNAVAILABLE while the terms in force are unknown
 */
async function checkAcceptedTerms(
  { requestId, family, fields, acceptance }: requestsContract.RegisterInput,
  deps: Pick<RequestsDeps, 'peers' | 'clock'>,
): Promise<{ unmet: readonly ErrorDetail[]; inserts: DependentInsert[] }> {
  // The gateway states the acceptance; without one there would be nothing to prove.
  if (acceptance === undefined) throw new AppError({ code: 'TERMS_NOT_ACCEPTED' });
  const active = await findActiveTerms(deps.peers, determineKind(family, fields).certificateType);
  if (active === null) return createTermsFault('NO_ACTIVE_TERMS');
  if (active.id !== fields[termsField]) return createTermsFault('TERMS_OUTDATED');
  const { clock } = deps;
  return { unmet: [], inserts: [toAcceptanceInsert(requestId, active, { ...acceptance, at: clock() })] };
}
