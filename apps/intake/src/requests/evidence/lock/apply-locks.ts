import { HOUR_MS } from '@rubrica/contracts/shared/durations';
import type { Database } from '@rubrica/database/connection';
import { toColumns } from '@rubrica/database/statement';
import { type EvidenceLocks, EvidenceStoreError } from '@rubrica/evidence-store';
import type { Logger } from '@rubrica/process/log';
import type { Clock } from '@rubrica/process/time';
import {
  batchLocks,
  type FoundLock,
  findLocks,
  forgetLock,
  lockLeaseSeconds,
  releaseLocks,
  takeLocks,
  writeLock,
} from './lock-sql.ts';
import { type LockState, planLock } from './plan-lock.ts';

export type LockOutcome = 'retained' | 'held' | 'lifted' | 'removed' | 'failed';

export interface LockDeps {
  readonly database: Pick<Database, 'statement'>;
  readonly locks: EvidenceLocks;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
  readonly onDone: (outcome: LockOutcome) => void;
}

/** @returns true if more may be due, false at the end or if the store is unavailable */
export type ApplyLocks = (signal: AbortSignal) => Promise<boolean>;

/**
 * Sets the due locks in the store, and removes erased objects once their lock allows it. The result is
 * written afterwards: a crash repeats the calls, which changes nothing.
 */
export function createApplyLocks(deps: LockDeps): ApplyLocks {
  const { database } = deps;
  return async (signal) => {
    const taken = await takeLocks.run(database, { leaseSeconds: lockLeaseSeconds });
    if (taken.length === 0) return false;
    const found = await findLocks.run(database, toColumns(taken, ['objectId', 'fence']));
    for (const [index, lock] of found.entries()) {
      if (!signal.aborted && (await applyLock(deps, lock))) continue;
      await releaseLocks.run(database, toColumns(found.slice(index), ['objectId', 'fence']));
      return false;
    }
    return taken.length === batchLocks;
  };
}

/** @returns false if the store is unavailable: the next lock need not be tried */
async function applyLock(deps: LockDeps, found: FoundLock): Promise<boolean> {
  const { database, locks, clock, logger, onDone } = deps;
  const { objectId, fence, asked } = found;
  const state: LockState = { ...found, endsAt: toDate(found.endsAt), retainUntil: toDate(found.retainUntil) };
  const plan = planLock(state, { now: clock(), mode: locks.mode });
  const entry = { id: objectId, area: 'kept' } as const;
  let { isHeld, retainUntil } = state;
  const write = (lookAt: Date | null, hasFailed = false) =>
    writeLock.run(database, {
      objectId,
      fence,
      asked,
      retainUntil,
      isHeld,
      isErased: !state.isKept,
      hasFailed,
      lookAt,
    });
  try {
    if (plan.hold !== undefined) {
      await locks.hold(entry, plan.hold);
      isHeld = plan.hold;
      onDone(isHeld ? 'held' : 'lifted');
    }
    if (plan.retainUntil !== undefined) {
      await locks.retain(entry, plan.retainUntil);
      retainUntil = plan.retainUntil;
      onDone('retained');
    }
    if (plan.isDestroyed) {
      await locks.destroy(entry);
      onDone('removed');
      await forgetLock.run(database, { objectId, fence });
    } else await write(plan.lookAt);
    return true;
  } catch (err) {
    if (!(err instanceof EvidenceStoreError)) throw err;
    onDone('failed');
    logger.warn({ err, subject: objectId }, 'evidence lock failed');
    // An unavailable store is unavailable for all; what it refuses for one object it may accept for the next.
    const isAway = err.code === 'unavailable';
    await write(isAway ? clock() : new Date(clock().getTime() + HOUR_MS), true);
    return !isAway;
  }
}

function toDate(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}
