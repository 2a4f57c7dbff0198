import { HOUR_MS } from '@rubrica/contracts/shared/durations';
import type { ObjectLockMode } from '@rubrica/evidence-store';

/** Required state of an object, and its state in the store. */
export interface LockState {
  /** True if its evidence exists and can be opened. */
  readonly isKept: boolean;
  /** Latest end of retention of the requests that name it; null if it is not known yet. */
  readonly endsAt: Date | null;
  /** True if the end of some request that names it is not known yet. */
  readonly isOpen: boolean;
  readonly isUnderLegalHold: boolean;
  /** Date that was last set in the store. */
  readonly retainUntil: Date | null;
  readonly isHeld: boolean;
}

export interface LockPlan {
  /** Sets or lifts the store's legal hold. */
  readonly hold?: boolean;
  readonly retainUntil?: Date;
  readonly isDestroyed: boolean;
  /** Time of the next check; null if only a change needs one. */
  readonly lookAt: Date | null;
}

/** Shortest time ahead for which a date is set: no store accepts a date that has passed on arrival. */
const minAheadMs = 10_000;

/**
 * Longest lock, in years. In compliance mode nobody can shorten it, and the date is in a row that a database role
 * can write. A longer retention is reached by later dates, once a year.
 */
const maxLockYears = 30;

/**
 * Returns the date that can be set; null if none is known, or it has passed or almost. Stores accept whole
 * seconds.
 */
export function toLockDate(endsAt: Date | null, now: Date): Date | null {
  if (endsAt === null || endsAt.getTime() < now.getTime() + minAheadMs) return null;
  const latest = Date.UTC(now.getUTCFullYear() + maxLockYears, 0, 1);
  return new Date(Math.min(latest, Math.ceil(endsAt.getTime() / 1_000) * 1_000));
}

interface PlanOptions {
  readonly now: Date;
  readonly mode: ObjectLockMode;
}

/** Plans the calls to the store. A date only ever moves to later: it is a minimum. */
export function planLock(state: LockState, { now, mode }: PlanOptions): LockPlan {
  const { isKept, endsAt, isOpen, isUnderLegalHold, retainUntil, isHeld } = state;
  if (!isKept) {
    const isOver = retainUntil === null || retainUntil <= now;
    return { ...(isHeld ? { hold: false } : {}), isDestroyed: isOver, lookAt: isOver ? null : retainUntil };
  }
  const until = mode === 'none' ? null : toLockDate(endsAt, now);
  const isLater = until !== null && (retainUntil === null || retainUntil < until);
  return {
    ...(isHeld === isUnderLegalHold ? {} : { hold: isUnderLegalHold }),
    ...(isLater ? { retainUntil: until } : {}),
    isDestroyed: false,
    lookAt: isOpen && mode !== 'none' ? new Date(now.getTime() + HOUR_MS) : null,
  };
}
