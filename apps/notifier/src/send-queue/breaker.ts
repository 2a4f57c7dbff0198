/** Conditions for pausing a destination that does not answer. */
export interface BreakerPolicy {
  /** Consecutive failures before a pause. */
  readonly failures: number;
  /** Pause before the first probe; each later pause is twice as long. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
}

/** State of a destination whose last attempt failed; one that answered has no state. */
export interface BreakerState {
  readonly failures: number;
  /** Number of consecutive pauses. */
  readonly pauses: number;
  /** No attempts before this time, one at a time afterwards. Undefined below the limit of failures. */
  readonly pausedUntilMs: number | undefined;
}

const initialState: BreakerState = { failures: 0, pauses: 0, pausedUntilMs: undefined };

/**
 * Returns the state after one more failure.
 * @returns the same state for a failure during the pause, of an attempt that started before it
 */
export function nextBreakerState(
  state: BreakerState | undefined,
  { nowMs, policy }: { nowMs: number; policy: BreakerPolicy },
): BreakerState {
  const { failures, pauses, pausedUntilMs } = state ?? initialState;
  if (state !== undefined && pausedUntilMs !== undefined && nowMs < pausedUntilMs) return state;
  if (failures + 1 < policy.failures) return { failures: failures + 1, pauses, pausedUntilMs: undefined };
  const pauseMs = Math.min(policy.firstPauseMs * 2 ** pauses, policy.longestPauseMs);
  return { failures: failures + 1, pauses: pauses + 1, pausedUntilMs: nowMs + pauseMs };
}

/** Returns how many attempts may be leased at once: all, none during a pause, one probe after it. */
export function countAllowedAttempts(state: BreakerState | undefined, nowMs: number): number {
  if (state?.pausedUntilMs === undefined) return Number.POSITIVE_INFINITY;
  return nowMs < state.pausedUntilMs ? 0 : 1;
}

/** States of all failing destinations, in this copy. */
export interface Breaker {
  allowed(destination: string): number;
  /** Lists the restricted destinations with their allowed attempts. */
  restricted(): { destination: string; allowed: number }[];
  /**
   * Records a failure.
   * @returns whether it started a pause
   */
  failed(destination: string): boolean;
  /**
   * Records an answer.
   * @returns whether it ended a pause
   */
  answered(destination: string): boolean;
}

/**
 * Creates the breaker.
 * @param max number of stored destinations: the one that failed longest ago is dropped, and unrestricted again
 */
export function createBreaker({
  policy,
  nowMs,
  max,
}: {
  policy: BreakerPolicy;
  nowMs: () => number;
  max: number;
}): Breaker {
  // Ordered by their last failure.
  const states = new Map<string, BreakerState>();
  return {
    allowed: (destination) => countAllowedAttempts(states.get(destination), nowMs()),
    restricted() {
      const now = nowMs();
      return [...states]
        .map(([destination, state]) => ({ destination, allowed: countAllowedAttempts(state, now) }))
        .filter(({ allowed }) => Number.isFinite(allowed));
    },
    failed(destination) {
      const previous = states.get(destination);
      const next = nextBreakerState(previous, { nowMs: nowMs(), policy });
      states.delete(destination);
      states.set(destination, next);
      const [oldest] = states.keys();
      if (states.size > max && oldest !== undefined) states.delete(oldest);
      return next.pausedUntilMs !== previous?.pausedUntilMs && next.pausedUntilMs !== undefined;
    },
    answered(destination) {
      const wasPaused = states.get(destination)?.pausedUntilMs !== undefined;
      states.delete(destination);
      return wasPaused;
    },
  };
}
