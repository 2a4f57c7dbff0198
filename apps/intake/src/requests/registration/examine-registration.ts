import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import type { ErrorDetail } from '@rubrica/contracts/shared/errors';
import type { PartnerSettings } from '../../access/partners/partner-directory.ts';
import { refuseBody } from '../../base/errors.ts';
import type { RequestsDeps } from '../deps.ts';
import { choosePasswordOrigin, familyPlans, toBodyName, toCanonicalFields } from '../request/family-plans.ts';
import type { DependentInsert } from '../request/one-statement.ts';
import { RequestEntity } from '../request/request.entity.ts';
import { checkAcceptedTerms } from './accept-terms.ts';
import { checkBody, isBodyFault } from './family-rules.ts';
import type { IssuerEndDeps } from './issuer-end.ts';
import { preconditions } from './preconditions.ts';
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
  const faults = findBodyFaults(input, { partner, now }, deps);
  if (faults.some(isBodyFault)) throw refuseBody(faults);
  const checks = preconditions[input.family] ?? [];
  const { acceptsTerms } = familyPlans[input.family];
  let sideEffects: DependentInsert[] = [];
  if (faults.length + checks.length > 0 || acceptsTerms) {
    // A repeat is reported before anything that it lacks, and before other services are asked about it.
    if (await isReferenceTaken(deps, { input, partnerId: partner.id })) return { isRepeat: true };
    const acceptance = acceptsTerms ? checkAcceptedTerms(input, deps) : { unmet: [], inserts: [] };
    const unmet = await Promise.all(checks.map((check) => check(input, deps)));
    const { inserts, unmet: termsFaults } = await acceptance;
    const all = [...faults, ...unmet.flat(), ...termsFaults];
    if (all.length > 0) throw refuseBody(all);
    sideEffects = inserts;
  }
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
