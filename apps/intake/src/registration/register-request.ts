import { say } from '@rubrica/contracts/error-texts/say';
import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import type { ErrorDetail } from '@rubrica/contracts/shared/errors';
import { AppError, errorDetail } from '@rubrica/process';
import type { UseCase } from '@rubrica/wiring';
import type { z } from 'zod';
import type { IntakeDeps } from '../context.ts';
import { refuseBody } from '../errors.ts';
import type { PartnerSettings } from '../partners/partner-directory.ts';
import { canonical, familyPlans, ownNameOf } from '../request/family-plans.ts';
import type { DependentInsert } from '../request/one-statement.ts';
import { EvidenceEntity, RequestEntity } from '../request/request.entity.ts';
import { acceptTerms } from './accept-terms.ts';
import { beginRegistered } from './begin-registered.ts';
import { checkBody, refusesBody } from './family-rules.ts';
import { insertRegistration } from './insert-registration.ts';
import { preconditions } from './preconditions.ts';
import { buildRegistration, type Registration } from './registration.ts';
import { findWarnings } from './warnings.ts';

type RegisterRequest = UseCase<'intake', 'requests.register'>;
type Input = requestsContract.RegisterInput;
type Output = z.output<typeof requestsContract.registerOutput>;
type Needs = Pick<
  IntakeDeps,
  | 'database'
  | 'partners'
  | 'clock'
  | 'newId'
  | 'rules'
  | 'timeZone'
  | 'issuerEnd'
  | 'registries'
  | 'peers'
  | 'validations'
  | 'rows'
>;

/**
 * Registers a request: every fault at once, or one committed row with its first job.
 * A repeat with the same id is answered with what was stored, so that the gateway may call again after a time-out.
 * @throws AppError the code of the first fault (400, or 412 where none is of 400), or
 *   DUPLICATED_REFERENCE_TRANSACTION (409), which stands between the two
 */
export function createRegisterRequest(deps: Needs): RegisterRequest {
  return async (input, { caller: { partnerId } }) => {
    const { database, clock, newId, rules, timeZone } = deps;
    const partner = await deps.partners.get(partnerId);
    const now = clock();
    const faults = checkBody(input.family, contextOf(input, { partner, now, deps }));
    if (faults.some(refusesBody)) throw refuseBody(faults);
    const asks = preconditions[input.family] ?? [];
    const { acceptsTerms } = familyPlans[input.family];
    let sideEffects: DependentInsert[] = [];
    if (faults.length + asks.length > 0 || acceptsTerms) {
      // A repeat is told so before it is told what it lacks, and before anybody is asked about it.
      if (await isKnown(database, { input, partnerId })) return answerRepeat(database, { input, partnerId });
      const accepted = acceptsTerms ? acceptTerms(input, deps) : { unmet: [], inserts: [] };
      const unmet = await Promise.all(asks.map((ask) => ask(input, deps)));
      const { inserts, unmet: ofTerms } = await accepted;
      const all = [...faults, ...unmet.flat(), ...ofTerms];
      if (all.length > 0) throw refuseBody(all);
      sideEffects = inserts;
    }
    const fields = canonical(input.family, input.fields);
    const registration = buildRegistration({
      input,
      partner,
      warnings: findWarnings(fields, {
        now,
        timeZone,
        issuerEnd: deps.issuerEnd(),
        appointmentName: ownNameOf(input.family, 'expirationDateAppointment'),
      }),
      now,
      newId,
    });
    const isNew = await beginRegistered(deps, { registration, evidence: input.evidence }, (begins) =>
      insertRegistration(database, {
        registration,
        input,
        errorWindowDays: rules.errorWindowDays,
        sideEffects,
        begins,
      }),
    );
    if (!isNew) return answerRepeat(database, { input, partnerId });
    return toOutput(registration, input);
  };
}

function contextOf(
  { fields, faults, files, sealedPassword }: Input,
  { partner, now, deps }: { partner: PartnerSettings; now: Date; deps: Needs },
) {
  return {
    fields,
    found: faults,
    context: {
      now,
      timeZone: deps.timeZone,
      passwordConfiguration: partner.passwordConfiguration,
      // A password that is ill-formed was given all the same: its own fault says what is wrong.
      passwordGiven: sealedPassword !== undefined,
      allowLoopbackCallback: deps.rules.callbackAllowLoopback,
      files: new Map(files.map(({ field, mediaType }) => [field, mediaType])),
    },
  };
}

function toOutput(registration: Registration, { evidence }: Input): Output {
  const { id, referenceTransaction, plan, now, expiresAt } = registration;
  return {
    requestId: id,
    referenceTransaction,
    status: plan.status,
    validationStatus: plan.validationStatus,
    createdAt: now.toISOString(),
    ...expiry(expiresAt),
    errors: [...(evidence?.errors ?? [])],
  };
}

function expiry(at: Date | null) {
  return at === null ? {} : { expiresAt: at.toISOString() };
}

interface Repeated {
  readonly input: Input;
  readonly partnerId: string;
}

async function isKnown(database: IntakeDeps['database'], { input, partnerId }: Repeated): Promise<boolean> {
  const referenceTransaction = String(input.fields.referenceTransaction);
  return (await database.fork().count(RequestEntity, { partnerId, referenceTransaction })) > 0;
}

async function answerRepeat(
  database: IntakeDeps['database'],
  { input, partnerId }: Repeated,
): Promise<Output> {
  const em = database.fork();
  const stored = await em.findOne(RequestEntity, { id: input.requestId, partnerId });
  if (!stored) {
    throw new AppError({
      code: 'DUPLICATED_REFERENCE_TRANSACTION',
      publicMessage: say('A request with referenceTransaction "{given}" already exists', {
        given: `${input.fields.referenceTransaction}`,
      }),
    });
  }
  const evidences = await em.find(EvidenceEntity, { requestId: stored.id, error: { $ne: null } });
  return {
    requestId: stored.id,
    referenceTransaction: stored.referenceTransaction,
    // What the first answer said: since then the request may have moved on.
    status: evidences.length > 0 ? ('ERROR' as const) : ('REGISTERED' as const),
    validationStatus: evidences.length > 0 ? ('ERROR' as const) : ('PENDING' as const),
    createdAt: stored.createdAt.toISOString(),
    ...expiry(stored.expiresAt),
    errors: evidences.map(evidenceFault),
  };
}

function evidenceFault(evidence: { position: number; error: string | null }): ErrorDetail {
  return errorDetail(
    'EVIDENCE_INVALID',
    `evidences[${evidence.position}].evidenceFile`,
    evidence.error ?? say('cannot be read'),
  );
}
