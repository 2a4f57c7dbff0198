import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import { crashpoint } from '@rubrica/process';
import type { z } from 'zod';
import { crashPoints } from '../../base/crash-points.ts';
import type { RequestsDeps } from '../deps.ts';
import type { DependentInsert } from '../request/one-statement.ts';
import type { ValidationQueueDeps } from '../validation/local-validation-queue.ts';
import { toExpiry } from './answer-repeat.ts';
import type { ExamineDeps, RegistrationContext } from './examine-registration.ts';
import {
  type Inserted,
  type InsertOptions,
  insertRegistration,
  toRegisteredData,
} from './insert-registration.ts';
import { registerAndBegin } from './register-and-begin.ts';
import { buildRegistration, type Registration } from './registration.ts';
import type { Warning } from './warnings.ts';

type Input = requestsContract.RegisterInput;
type Output = z.output<typeof requestsContract.registerOutput>;
export type RegisterDeps = ExamineDeps &
  Pick<RequestsDeps, 'partners' | 'newId' | 'rows'> &
  ValidationQueueDeps;

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
  const registration = buildRegistration({ input, partner, warnings, now, newId });
  const { errorWindowDays } = rules;
  const options = { rows, registration, input, errorWindowDays, timeZone, sideEffects };
  const insert = (begins: boolean) =>
    insertRegistration(database, { ...options, begins, ...(renewal === undefined ? {} : { renewal }) });
  // Evidence that is carried over is not in memory here.
  const inserted = renewal
    ? await insert(false)
    : await registerAndBegin(
        deps,
        { registration, data: toRegisteredData(options), evidence: input.evidence },
        insert,
      );
  if (inserted) crashpoint(crashPoints.afterRegistration);
  return inserted && { ...toOutput(registration, input), ...toQuotaOutput(inserted.quota) };
}

/** Converts a quota for an answer. */
export function toQuotaOutput(quota: Inserted['quota']) {
  return quota === null ? {} : { quota: { limit: quota.limit, remaining: quota.remaining } };
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
