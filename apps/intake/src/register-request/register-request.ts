import type { ErrorDetail, intakeContract } from '@rubrica/contracts';
import { AppError } from '@rubrica/service';
import type { z } from 'zod';
import type { Dependencies } from '../dependencies.ts';
import { refuseBody } from '../errors.ts';
import { EvidenceEntity, RequestEntity } from '../request/request.entity.ts';
import { insertRegistration } from './insert-registration.ts';
import { buildRegistration } from './registration.ts';
import { checkLinkedPartner, fault } from './rules.ts';
import { findWarnings } from './warnings.ts';

type Output = z.output<typeof intakeContract.registerOutput>;

/**
 * Registers a request: every fault at once, or one committed row with its first job.
 * A repeat with the same id is answered with what was stored, so that the gateway may call again after a time-out.
 * @throws AppError the code of the first fault (400), or DUPLICATED_REFERENCE_TRANSACTION (409)
 */
export const createRegisterRequest =
  (
    deps: Pick<
      Dependencies,
      'database' | 'partners' | 'clock' | 'newId' | 'rules' | 'timeZone' | 'issuerEnd'
    >,
  ) =>
  async (input: intakeContract.RegisterInput, partnerId: string): Promise<Output> => {
    const { database, clock, newId, rules, timeZone } = deps;
    const partner = await deps.partners.get(partnerId);
    const now = clock();
    const faults = checkLinkedPartner(input.fields, input.faults, {
      now,
      timeZone,
      passwordConfiguration: partner.passwordConfiguration,
      // A password that is ill-formed was given all the same: its own fault says what is wrong.
      passwordGiven: input.sealedPassword !== undefined,
      allowLoopbackCallback: rules.callbackAllowLoopback,
    });
    if (faults.length > 0) throw refuseBody(faults);
    const registration = buildRegistration({
      input,
      partner,
      warnings: findWarnings(input.fields, { now, timeZone, issuerEnd: deps.issuerEnd() }),
      now,
      newId,
    });
    const inserted = await insertRegistration(database, {
      registration,
      input,
      errorWindowDays: rules.errorWindowDays,
    });
    if (!inserted) return answerRepeat(database, { id: input.requestId, partnerId, registration });
    const { plan } = registration;
    return {
      requestId: registration.id,
      referenceTransaction: registration.referenceTransaction,
      status: plan.status,
      validationStatus: plan.validationStatus,
      createdAt: now.toISOString(),
      errors: [...(input.evidence?.errors ?? [])],
    };
  };

const answerRepeat = async (
  database: Dependencies['database'],
  repeated: { id: string; partnerId: string; registration: { referenceTransaction: string } },
): Promise<Output> => {
  const em = database.fork();
  const stored = await em.findOne(RequestEntity, { id: repeated.id, partnerId: repeated.partnerId });
  if (!stored) {
    const { referenceTransaction } = repeated.registration;
    throw new AppError({
      code: 'DUPLICATED_REFERENCE_TRANSACTION',
      publicMessage: `A request with referenceTransaction "${referenceTransaction}" already exists`,
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
    errors: evidences.map(evidenceFault),
  };
};

export const evidenceFault = (evidence: { position: number; error: string | null }): ErrorDetail =>
  fault(
    'EVIDENCE_INVALID',
    `evidences[${evidence.position}].evidenceFile`,
    evidence.error ?? 'cannot be read',
  );
