/** When a destination that does not answer is left alone, and for how long. */
export interface BreakerPolicy {
  /** Failures in a row after which it is left alone. */
  readonly failures: number;
  /** The pause before the first probe; each further one is twice as long as the one before. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
}

/** What is known of a destination that has failed last; one that has answered has no state. */
export interface BreakerState {
  readonly failures: number;
  /** How often it has been left alone in a row. */
  readonly pauses: number;
  /** Until then nothing is attempted; afterwards one attempt at a time. Undefined below the limit of failures. */
  readonly pausedUntilMs: number | undefined;
}

const untouched: BreakerState = { failures: 0, pauses: 0, pausedUntilMs: undefined };

/**
 * The state after one more failure.
 * @returns the same state for the failure of an attempt from before the pause, which says nothing new
 */
export function afterFailure(
  state: BreakerState | undefined,
  { nowMs, policy }: { nowMs: number; policy: BreakerPolicy },
): BreakerState {
  const { failures, pauses, pausedUntilMs } = state ?? untouched;
  if (state !== undefined && pausedUntilMs !== undefined && nowMs < pausedUntilMs) return state;
  if (failures + 1 < policy.failures) return { failures: failures + 1, pauses, pausedUntilMs: undefined };
  const pauseMs = Math.min(policy.firstPauseMs * 2 ** pauses, policy.longestPauseMs);
  return { failures: failures + 1, pauses: pauses + 1, pausedUntilMs: nowMs + pauseMs };
}

/** Attempts that may be in hand at once: all, none during a pause, one probe after it. */
export function attemptsAllowed(state: BreakerState | undefined, nowMs: number): number {
  if (state?.pausedUntilMs === undefined) return Number.POSITIVE_INFINITY;
  return nowMs < state.pausedUntilMs ? 0 : 1;
}

/** The states of all destinations that fail, in this copy. */
export interface Breaker {
  allowed(destination: string): number;
  /** Destinations that may not be used freely, with what is allowed there. */
  restricted(): { destination: string; allowed: number }[];
  /** @returns whether this failure has begun a pause */
  failed(destination: string): boolean;
  /** @returns whether this answer has ended a pause */
  answered(destination: string): boolean;
}

/** @param max destinations remembered: the one that failed longest ago is forgotten, and tried freely again */
export function createBreaker({
  policy,
  nowMs,
  max,
}: {
  policy: BreakerPolicy;
  nowMs: () => number;
  max: number;
}): Breaker {
  // In the order of their last failure.
  const states = new Map<string, BreakerState>();
  return {
    allowed: (destination) => attemptsAllowed(states.get(destination), nowMs()),
    restricted() {
      const now = nowMs();
      return [...states]
        .map(([destination, state]) => ({ destination, allowed: attemptsAllowed(state, now) }))
        .filter(({ allowed }) => Number.isFinite(allowed));
    },
    failed(destination) {
      const before = states.get(destination);
      const after = afterFailure(before, { nowMs: nowMs(), policy });
      states.delete(destination);
      states.set(destination, after);
      const [oldest] = states.keys();
      if (states.size > max && oldest !== undefined) states.delete(oldest);
      return after.pausedUntilMs !== before?.pausedUntilMs && after.pausedUntilMs !== undefined;
    },
    answered(destination) {
      const wasPaused = states.get(destination)?.pausedUntilMs !== undefined;
      states.delete(destination);
      return wasPaused;
    },
  };
}
