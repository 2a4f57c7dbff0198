import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import { crashpoint } from '@rubrica/process/crashpoint';
import type { UseCase } from '@rubrica/wiring';
import type { z } from 'zod';
import { crashPoints } from '../../base/crash-points.ts';
import type { RequestsDeps } from '../deps.ts';
import { toRequestFiles } from '../evidence/evidence-file.ts';
import type { DependentInsert } from '../request/one-statement.ts';
import { readQuotaLeft, refuseWithoutQuota } from '../request/quota.ts';
import type { RegisteredData } from '../request/registered/registered-data.ts';
import { findOwnById } from '../request/request.repository.ts';
import { toReviewPolicy } from '../validation/begin-validation.ts';
import type {
  PendingValidation,
  SlotReservation,
  ValidationQueueDeps,
} from '../validation/local-validation-queue.ts';
import { answerRepeat, createRepeatError, toExpiry } from './answer-repeat.ts';
import {
  type ExamineDeps,
  examineRegistration,
  isReferenceTaken,
  type RegistrationContext,
} from './examine-registration.ts';
import {
  type Inserted,
  type InsertOptions,
  insertRegistration,
  toRegisteredData,
} from './insert-registration.ts';
import { buildRegistration, type Registration } from './registration.ts';
import type { Warning } from './warnings.ts';

type RegisterRequest = UseCase<'intake', 'requests.register'>;
type Input = requestsContract.RegisterInput;
type Output = z.output<typeof requestsContract.registerOutput>;
export type RegisterDeps = ExamineDeps &
  Pick<RequestsDeps, 'partners' | 'newId' | 'rows'> &
  ValidationQueueDeps;

/**
 * Registers a request: reports every fault at once, or commits one row, whose validation begins here or with a
 * job. A repeat with the same id gets the stored answer, so that the gateway may call again after a time-out.
 * @throws AppError as examineRegistration does, DUPLICATED_REFERENCE_TRANSACTION (409) and QUOTA_EXCEEDED
 *   (429)
 */
export function createRegisterRequest(deps: RegisterDeps): RegisterRequest {
  return async (input, { caller: { partnerId } }) => {
    const partner = await deps.partners.get(partnerId);
    const now = deps.clock();

    // 1. All checks. Nothing is written yet.
    const examined = await examineRegistration(input, { partner, now }, deps);

    // 2. to 5. write the request and begin its validation. There is no result if it existed before.
    const registered = examined.isRepeat
      ? undefined
      : await registerExamined(deps, { input, partner, now, ...examined });

    // 6. The same id gets its first answer. Another request under its reference is refused.
    return registered ?? answerStored(deps, { input, partnerId });
  };
}

/** Registration that passed every check, with the findings. */
export interface ExaminedInput extends RegistrationContext, Pick<InsertOptions, 'renewal'> {
  readonly input: Input;
  readonly warnings: readonly Warning[];
  readonly sideEffects: readonly DependentInsert[];
}

/**
 * Writes a registration, and begins its validation if there is a free slot.
 * @returns undefined if it existed before: its id, its referenceTransaction, or another renewal of the same
 *   certificate
 * @throws AppError QUOTA_EXCEEDED
 */
export async function registerExamined(
  deps: RegisterDeps,
  { input, partner, warnings, sideEffects, now, renewal }: ExaminedInput,
): Promise<Output | undefined> {
  const { database, newId, rules, timeZone, rows } = deps;

  // 2. All values of the request, with the plan of its first transition.
  const registration = buildRegistration({ input, partner, warnings, now, newId });

  // 3. A slot for its validation in this copy, which has the files in memory: neither a message nor a second
  // lease is needed. Evidence that a renewal carries over is not in memory.
  const slot = renewal === undefined ? reserveSlot(deps, registration, input) : undefined;

  // 4. One statement writes request, evidence, timeline entry, event and, without a slot, the first job, and
  // takes the quota. A crash before: nothing is written. A crash after: the repeated call gets the stored answer,
  // and once the lease of a begun validation has expired, the sweeper wakes the request.
  const { errorWindowDays } = rules;
  const options = { rows, registration, input, errorWindowDays, timeZone, sideEffects };
  const inserted = await insertRegistration(database, {
    ...options,
    begins: slot !== undefined,
    ...(renewal === undefined ? {} : { renewal }),
  }).catch((error: unknown) => {
    slot?.release();
    throw error;
  });
  if (inserted === undefined) {
    slot?.release();
    return undefined;
  }

  // 5. The queue of this copy runs it: `createLocalValidationWork` of `../validation/validate-request.ts`.
  slot?.start(
    toPendingValidation(deps, { slot, registration, data: toRegisteredData(options), input, inserted }),
  );
  crashpoint(crashPoints.afterRegistration);
  return { ...toOutput(registration, input), ...toQuotaOutput(inserted.quota) };
}

/** Reserves a slot; undefined if there is none, or the request is not validated yet. */
function reserveSlot(
  { validations }: ValidationQueueDeps,
  { plan, partnerId }: Registration,
  { evidence }: Input,
): SlotReservation | undefined {
  if (plan.trigger !== 'register') return undefined;
  const bytes = (evidence?.items ?? []).reduce((sum, { file }) => sum + (file?.content?.length ?? 0), 0);
  return validations.reserve(bytes, partnerId);
}

interface BegunRegistration {
  readonly slot: SlotReservation;
  readonly registration: Registration;
  readonly data: RegisteredData;
  readonly input: Input;
  readonly inserted: Inserted;
}

/** Returns what `beginValidation` would read of the request. */
function toPendingValidation(
  { rows }: Pick<RequestsDeps, 'rows'>,
  { slot, registration, data, input: { evidence }, inserted }: BegunRegistration,
): PendingValidation {
  const { id, plan, family, passwordOrigin, isClaimed } = registration;
  const { partner, fence, attempts, language } = inserted;
  const begun = {
    ...{ fence, attempts, language, family, data },
    failures: 0,
    identificationNumber: registration.identificationNumber,
    applicationType: registration.applicationType,
    details: registration.details,
    callbackUrl: registration.callbackUrl,
    observations: registration.observations,
    generationAttempt: plan.generationAttempt,
    needsClaim: passwordOrigin === 'HOLDER' && !isClaimed,
    reviewPolicy: toReviewPolicy(partner, rows),
    // An evidence error would have registered the request as an error.
    evidenceErrors: [],
    attachments: (evidence?.items ?? []).flatMap(({ field }) => field ?? []),
  };
  const job = { requestId: id, attempt: plan.validationAttempt };
  return slot.holdsFiles ? { job, begun, files: evidence && toRequestFiles(evidence) } : { job, begun };
}

function toOutput(registration: Registration, { evidence }: Input): Output {
  const { id, referenceTransaction, plan, now, expiresAt } = registration;
  return {
    requestId: id,
    referenceTransaction,
    status: plan.status,
    validationStatus: plan.validationStatus,
    createdAt: now.toISOString(),
    ...toExpiry(expiresAt),
    errors: [...(evidence?.errors ?? [])],
  };
}

function toQuotaOutput(quota: Inserted['quota']) {
  return quota === null ? {} : { quota: { limit: quota.limit, remaining: quota.remaining } };
}

async function answerStored(
  { database, timeZone }: RegisterDeps,
  { input, partnerId }: { readonly input: Input; readonly partnerId: string },
): Promise<Output> {
  const stored = await findOwnById(database.fork(), { id: input.requestId, partnerId });
  if (!stored) throw await createRepeatError({ database }, { input, partnerId });
  const { certificateType, createdAt: now } = stored;
  const [left] = await readQuotaLeft.run(database, { partnerId, certificateType, now, timeZone });
  return { ...(await answerRepeat(database, stored)), ...toQuotaOutput(left?.quota ?? null) };
}

/**
 * Answers as a registration would; nothing is stored.
 * @throws AppError the error with which the registration would be refused
 */
export function createDryRun(
  deps: ExamineDeps & Pick<RequestsDeps, 'partners'>,
): UseCase<'intake', 'requests.dryRun'> {
  return async (input, { caller: { partnerId } }) => {
    const partner = await deps.partners.get(partnerId);
    const now = deps.clock();
    const examined = await examineRegistration(input, { partner, now }, deps);
    // A registration learns this from its insert.
    if (examined.isRepeat || (await isReferenceTaken(deps, { input, partnerId })))
      throw await createRepeatError(deps, { input, partnerId });
    await refuseWithoutQuota(deps, { input, partnerId, now });
    return { warnings: [...examined.warnings] };
  };
}
