import { HOUR_MS } from '@rubrica/contracts/shared/durations';
import type { ObjectLockMode } from '@rubrica/evidence-store';

/** What is to hold of an object, and what does in the store. */
export interface LockState {
  /** Its evidence is there, and can be opened. */
  readonly isKept: boolean;
  /** The latest of the retention of those who name it; null: not known yet. */
  readonly endsAt: Date | null;
  /** Of one who names it the end is not known yet. */
  readonly isOpen: boolean;
  readonly isUnderLegalHold: boolean;
  /** As the store was told last. */
  readonly retainUntil: Date | null;
  readonly isHeld: boolean;
}

export interface LockPlan {
  /** Sets or lifts the store's legal hold. */
  readonly hold?: boolean;
  readonly retainUntil?: Date;
  readonly isDestroyed: boolean;
  /** When to look again; null: when something changes. */
  readonly lookAt: Date | null;
}

/** No store takes a date that has passed when it comes there. */
const leastMs = 10_000;

/**
 * Longest lock, in years. In compliance mode nobody can shorten it, and the date stands in a row that a database role can write. A
 * longer retention is reached by later dates, once a year.
 */
const longestYears = 30;

/** The date that can be set; null where none is known, or it is over or almost. Stores take whole seconds. */
export function lockableUntil(endsAt: Date | null, now: Date): Date | null {
  if (endsAt === null || endsAt.getTime() < now.getTime() + leastMs) return null;
  const longest = Date.UTC(now.getUTCFullYear() + longestYears, 0, 1);
  return new Date(Math.min(longest, Math.ceil(endsAt.getTime() / 1_000) * 1_000));
}

interface At {
  readonly now: Date;
  readonly mode: ObjectLockMode;
}

/** What to do at the store. A date is only ever moved to later: it says how long at least. */
export function planLock(state: LockState, { now, mode }: At): LockPlan {
  const { isKept, endsAt, isOpen, isUnderLegalHold, retainUntil, isHeld } = state;
  if (!isKept) {
    const isOver = retainUntil === null || retainUntil <= now;
    return { ...(isHeld ? { hold: false } : {}), isDestroyed: isOver, lookAt: isOver ? null : retainUntil };
  }
  const until = mode === 'none' ? null : lockableUntil(endsAt, now);
  const isLater = until !== null && (retainUntil === null || retainUntil < until);
  return {
    ...(isHeld === isUnderLegalHold ? {} : { hold: isUnderLegalHold }),
    ...(isLater ? { retainUntil: until } : {}),
    isDestroyed: false,
    lookAt: isOpen && mode !== 'none' ? new Date(now.getTime() + HOUR_MS) : null,
  };
}
