import { MINUTE_MS } from '@rubrica/contracts/shared/durations';

/** Wrong passwords of one account, one address, or both together. */
export interface Tally {
  readonly count: number;
  /** Time at which they are forgotten. */
  readonly endsAtMs: number;
  /** Time before which no password is verified. */
  readonly waitsUntilMs: number;
}

export interface AttemptRule {
  /** Number of attempts without a wait. */
  readonly free: number;
  /** @param beyond number of attempts after the last free one */
  waitMs(beyond: number): number;
}

const SECOND_MS = 1_000;
const windowMs = 15 * MINUTE_MS;
const firstWaitMs = 30 * SECOND_MS;
/** Longest time until attempts are forgotten: the longest wait, and the time after it. */
const maxCountedMs = 2 * windowMs;

export const attemptRules = {
  /** Only callers at the same address can make the account wait there. */
  pair: { free: 10, waitMs: (beyond) => Math.min(windowMs, firstWaitMs * 2 ** Math.min(beyond, 10)) },
  /** Many people may share an address: it is slowed down for everyone, and not blocked. */
  address: { free: 200, waitMs: () => 10 * SECOND_MS },
  /** Across all addresses nobody has to wait: otherwise an attacker could lock the person out. */
  account: { free: Number.POSITIVE_INFINITY, waitMs: () => 0 },
} as const satisfies Record<string, AttemptRule>;

/**
 * Counts one more attempt, as if its password were wrong; or returns the wait, and then it is not counted.
 */
export function judgeAttempt(
  known: Tally,
  { free, waitMs }: AttemptRule,
  nowMs: number,
): { readonly waitMs: number } | { readonly tally: Tally } {
  const leftMs = known.waitsUntilMs - nowMs;
  // No rule waits longer: a row that says so was written past the service.
  if (leftMs > 0 && leftMs <= waitMs(Number.POSITIVE_INFINITY)) return { waitMs: leftMs };
  // Neither does any rule count for longer.
  const isOver = !(known.endsAtMs > nowMs && known.endsAtMs <= nowMs + maxCountedMs);
  const count = isOver ? 1 : known.count + 1;
  const waitsUntilMs = count < free ? 0 : nowMs + waitMs(count - free);
  const endsAtMs = Math.max(
    isOver ? nowMs + windowMs : known.endsAtMs,
    waitsUntilMs && waitsUntilMs + windowMs,
  );
  return { tally: { count, endsAtMs, waitsUntilMs } };
}

const maxDelayMs = 2 * SECOND_MS;
const stepMs = 100;

/**
 * Computes the delay of the answer, right or wrong, which grows with the attempts on the account from
 * anywhere.
 */
export function computeDelayMs({ count }: Tally): number {
  return Math.min(maxDelayMs, Math.max(0, count - attemptRules.pair.free) * stepMs);
}
