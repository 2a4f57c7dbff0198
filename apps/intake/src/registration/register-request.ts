import { say } from '@rubrica/contracts/error-texts/say';
import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import type { ErrorDetail } from '@rubrica/contracts/shared/errors';
import { errorDetail } from '@rubrica/process';
import type { UseCase } from '@rubrica/wiring';
import type { z } from 'zod';
import type { IntakeDeps } from '../context.ts';
import { EvidenceEntity, RequestEntity } from '../request/request.entity.ts';
import { beginRegistered } from './begin-registered.ts';
import { duplicated, type ExamineNeeds, examineRegistration } from './examine-registration.ts';
import { type Inserted, insertRegistration } from './insert-registration.ts';
import { buildRegistration, type Registration } from './registration.ts';

type RegisterRequest = UseCase<'intake', 'requests.register'>;
type Input = requestsContract.RegisterInput;
type Output = z.output<typeof requestsContract.registerOutput>;
type Needs = ExamineNeeds & Pick<IntakeDeps, 'partners' | 'newId' | 'validations' | 'rows'>;

/**
 * Registers a request: every fault at once, or one committed row with its first job.
 * A repeat with the same id is answered with what was stored, so that the gateway may call again after a time-out.
 * @throws AppError as examineRegistration does, DUPLICATED_REFERENCE_TRANSACTION (409) and QUOTA_EXCEEDED (429)
 */
export function createRegisterRequest(deps: Needs): RegisterRequest {
  return async (input, { caller: { partnerId } }) => {
    const { database, clock, newId, rules, timeZone } = deps;
    const partner = await deps.partners.get(partnerId);
    const now = clock();
    const examined = await examineRegistration(input, { partner, now }, deps);
    if (examined.isRepeat) return answerRepeat(database, { input, partnerId });
    const { warnings, sideEffects } = examined;
    const registration = buildRegistration({ input, partner, warnings, now, newId });
    const inserted = await beginRegistered(deps, { registration, evidence: input.evidence }, (begins) =>
      insertRegistration(database, {
        registration,
        input,
        errorWindowDays: rules.errorWindowDays,
        timeZone,
        sideEffects,
        begins,
      }),
    );
    if (inserted === undefined) return answerRepeat(database, { input, partnerId });
    return { ...toOutput(registration, input), ...left(inserted.quota) };
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

function left(quota: Inserted['quota']) {
  return quota === null ? {} : { quota: { limit: quota.limit, remaining: quota.remaining } };
}

interface Repeated {
  readonly input: Input;
  readonly partnerId: string;
}

async function answerRepeat(
  database: IntakeDeps['database'],
  { input, partnerId }: Repeated,
): Promise<Output> {
  const em = database.fork();
  const stored = await em.findOne(RequestEntity, { id: input.requestId, partnerId });
  if (!stored) throw duplicated(input);
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
