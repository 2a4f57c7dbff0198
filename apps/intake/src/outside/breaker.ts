/** Rules for leaving a failing outside system alone. */
export interface BreakerPolicy {
  /** Consecutive failures after which the breaker opens. */
  readonly failures: number;
  /**
   * Pause until one probe decides. It is short, because every call refused meanwhile is an error at a
   * partner.
   */
  readonly pauseMs: number;
}

/**
 * State of a breaker. `round` grows with every change of kind, so that a call begun in an earlier round
 * decides nothing in this one.
 */
export type BreakerState =
  | { readonly kind: 'closed'; readonly round: number; readonly failures: number }
  | { readonly kind: 'open'; readonly round: number; readonly untilMs: number }
  | { readonly kind: 'half-open'; readonly round: number };

/** Permission for one call. Its caller settles it, however the call ends. */
export interface Permit {
  readonly round: number;
  readonly probe: boolean;
}

/** Verdict of a call on the system; `unknown` if the caller left before there was any. */
export type Verdict = 'alive' | 'failing' | 'unknown';

const closedBreaker: BreakerState = { kind: 'closed', round: 0, failures: 0 };

/** Computes the state after a request to call, with a permit unless the system is to be left alone. */
function admit(
  state: BreakerState,
  nowMs: number,
): { readonly state: BreakerState; readonly permit: Permit | undefined } {
  if (state.kind === 'closed') return { state, permit: { round: state.round, probe: false } };
  if (state.kind === 'half-open' || nowMs < state.untilMs) return { state, permit: undefined };
  const round = state.round + 1;
  return { state: { kind: 'half-open', round }, permit: { round, probe: true } };
}

/** Computes the state after a call. */
function settle(
  state: BreakerState,
  call: { permit: Permit; verdict: Verdict; nowMs: number; policy: BreakerPolicy },
): BreakerState {
  const { permit, verdict, nowMs, policy } = call;
  if (permit.round !== state.round || state.kind === 'open') return state;
  const round = state.round + 1;
  if (state.kind === 'half-open') {
    if (verdict === 'alive') return { kind: 'closed', round, failures: 0 };
    // A probe whose caller left has shown nothing: the next call is the probe.
    return { kind: 'open', round, untilMs: verdict === 'failing' ? nowMs + policy.pauseMs : nowMs };
  }
  if (verdict === 'unknown') return state;
  if (verdict === 'alive') return state.failures === 0 ? state : { ...state, failures: 0 };
  const failures = state.failures + 1;
  return failures < policy.failures
    ? { ...state, failures }
    : { kind: 'open', round, untilMs: nowMs + policy.pauseMs };
}

export interface Breaker {
  state(): BreakerState['kind'];
  /** @returns undefined while the system is left alone */
  admit(): Permit | undefined;
  /** @returns the new kind of state, if this call has changed it */
  settle(permit: Permit, verdict: Verdict): BreakerState['kind'] | undefined;
}

/** Creates the breaker of one outside system in this copy. */
export function createBreaker({ policy, nowMs }: { policy: BreakerPolicy; nowMs: () => number }): Breaker {
  let state = closedBreaker;
  return {
    state: () => state.kind,
    admit() {
      const admitted = admit(state, nowMs());
      state = admitted.state;
      return admitted.permit;
    },
    settle(permit, verdict) {
      const previous = state.kind;
      state = settle(state, { permit, verdict, nowMs: nowMs(), policy });
      return state.kind === previous ? undefined : state.kind;
    },
  };
}
