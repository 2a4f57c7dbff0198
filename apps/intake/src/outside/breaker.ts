/** When an outside system that fails is left alone, and for how long. */
export interface BreakerPolicy {
  /** Failures in a row after which it is left alone. */
  readonly failures: number;
  /** Afterwards one probe decides. Short, because every call refused meanwhile is an error at a partner. */
  readonly pauseMs: number;
}

/** `round` grows with every change of kind, so that what began in an earlier round decides nothing in this one. */
export type BreakerState =
  | { readonly kind: 'closed'; readonly round: number; readonly failures: number }
  | { readonly kind: 'open'; readonly round: number; readonly untilMs: number }
  | { readonly kind: 'half-open'; readonly round: number };

/** The right to make one call; its caller settles it, however the call ends. */
export interface Permit {
  readonly round: number;
  readonly probe: boolean;
}

/** What a call said of the system; `unknown` where the caller left before anything could be said. */
export type Verdict = 'alive' | 'failing' | 'unknown';

const closedBreaker: BreakerState = { kind: 'closed', round: 0, failures: 0 };

/** The state after a request to call, with a permit unless the system is to be left alone. */
function admit(
  state: BreakerState,
  nowMs: number,
): { readonly state: BreakerState; readonly permit: Permit | undefined } {
  if (state.kind === 'closed') return { state, permit: { round: state.round, probe: false } };
  if (state.kind === 'half-open' || nowMs < state.untilMs) return { state, permit: undefined };
  const round = state.round + 1;
  return { state: { kind: 'half-open', round }, permit: { round, probe: true } };
}

/** The state after a call has ended. */
function settle(
  state: BreakerState,
  ended: { permit: Permit; verdict: Verdict; nowMs: number; policy: BreakerPolicy },
): BreakerState {
  const { permit, verdict, nowMs, policy } = ended;
  if (permit.round !== state.round || state.kind === 'open') return state;
  const round = state.round + 1;
  if (state.kind === 'half-open') {
    if (verdict === 'alive') return { kind: 'closed', round, failures: 0 };
    // A probe whose caller left has used up nothing: the next call is the probe.
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
  /** @returns the kind that this call has changed the state to, if it has */
  settle(permit: Permit, verdict: Verdict): BreakerState['kind'] | undefined;
}

/** The state of one outside system in this copy. */
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
      const before = state.kind;
      state = settle(state, { permit, verdict, nowMs: nowMs(), policy });
      return state.kind === before ? undefined : state.kind;
    },
  };
}
