import { MINUTE_MS } from '@rubrica/contracts/shared/durations';

/** Passwords that were not right, of one account, one address, or both together. */
export interface Tally {
  readonly count: number;
  /** When they are forgotten. */
  readonly endsAtMs: number;
  /** None is looked at before. */
  readonly waitsUntilMs: number;
}

export interface AttemptRule {
  /** So many are looked at one after the other. */
  readonly free: number;
  /** @param beyond how many there were after the last free one */
  waitMs(beyond: number): number;
}

const SECOND_MS = 1_000;
const windowMs = 15 * MINUTE_MS;
const firstWaitMs = 30 * SECOND_MS;

export const attemptRules = {
  /** Only who is at the same address can make the account wait there. */
  pair: { free: 10, waitMs: (beyond) => Math.min(windowMs, firstWaitMs * 2 ** Math.min(beyond, 10)) },
  /** Many people may be behind one address: it is slowed, whoever tries what, and not shut. */
  address: { free: 200, waitMs: () => 10 * SECOND_MS },
  /** Over all addresses nobody is made to wait, or whoever guesses could lock the person out. */
  account: { free: Number.POSITIVE_INFINITY, waitMs: () => 0 },
} as const satisfies Record<string, AttemptRule>;

/** Counts one more, as if its password were wrong; or says how long to wait, and then it is not counted. */
export function judgeAttempt(
  known: Tally,
  { free, waitMs }: AttemptRule,
  nowMs: number,
): { readonly waitMs: number } | { readonly tally: Tally } {
  const leftMs = known.waitsUntilMs - nowMs;
  // No rule waits longer: a row that says so was written past the service.
  if (leftMs > 0 && leftMs <= waitMs(Number.POSITIVE_INFINITY)) return { waitMs: leftMs };
  const isOver = known.endsAtMs <= nowMs;
  const count = isOver ? 1 : known.count + 1;
  const waitsUntilMs = count < free ? 0 : nowMs + waitMs(count - free);
  const endsAtMs = Math.max(
    isOver ? nowMs + windowMs : known.endsAtMs,
    waitsUntilMs && waitsUntilMs + windowMs,
  );
  return { tally: { count, endsAtMs, waitsUntilMs } };
}

const longestDelayMs = 2 * SECOND_MS;
const stepMs = 100;

/** How much later the answer comes, right or wrong, the more were tried of the account from wherever. */
export function delayMsOf({ count }: Tally): number {
  return Math.min(longestDelayMs, Math.max(0, count - attemptRules.pair.free) * stepMs);
}
