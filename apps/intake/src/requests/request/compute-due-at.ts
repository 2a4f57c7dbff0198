import { DAY_MS, MINUTE_MS } from '@rubrica/contracts/shared/durations';
import type { Status, ValidationStatus } from '@rubrica/contracts/shared/enumerations';
import { isTerminal } from './state-machine.ts';

/** Time without progress after which the sweeper publishes work again. */
export const progressTimeoutMs = 2 * MINUTE_MS;

/** Computes when the sweeper has to check a request in this state. */
export function computeDueAt(options: {
  status: Status;
  validationStatus: ValidationStatus;
  now: Date;
  claimExpiresAt: Date | null;
  errorWindowDays: number;
}): Date | null {
  const { status, validationStatus, now } = options;
  if (isTerminal(status) || validationStatus === 'MANUALLY_VALIDATING') return null;
  if (status === 'APPROVED') return options.claimExpiresAt;
  const aheadMs = status === 'ERROR' ? options.errorWindowDays * DAY_MS : progressTimeoutMs;
  return new Date(now.getTime() + aheadMs);
}
