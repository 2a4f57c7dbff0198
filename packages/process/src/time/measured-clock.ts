import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../errors/app-error.ts';
import type { Logger } from '../log/logger.ts';
import { NotReady } from '../management/health.ts';
import type { Clock } from './clock.ts';

/** Clock that counts as correct. */
export interface ClockReference {
  /** Name for logs and health: `PostgreSQL`. */
  readonly name: string;
  /** Reads its time, in ms since 1970. */
  read(): Promise<number>;
}

/**
 * Clock of this machine, corrected by a reference: tokens are checked against it, and written rows have its time.
 * Beyond a difference of 30 s one of the two is wrong, and a manipulated reference must not revive ended tokens: then
 * nothing is checked.
 */
export interface MeasuredClock {
  /**
   * @throws AppError SERVICE_UNAVAILABLE before the first measurement, and while the difference exceeds 30 s: nothing
   * may be checked against an unknown clock
   */
  readonly now: Clock;
  /**
   * Time like `now`, but the machine's own before the first measurement, and the reference's however large the
   * difference: for rows that services write, whose copies must agree on the date.
   */
  readonly bestKnown: Clock;
  /** Same as `now`, in ms since 1970. */
  readonly nowMs: () => number;
  /** Measures now and every 10 s until the returned function is called. */
  follow(reference: ClockReference): () => void;
  /** Resolves after the first measurement, at the latest after `withinMs` (5,000). */
  measured(withinMs?: number): Promise<void>;
  /**
   * Checks readiness.
   * @throws NotReady before the first measurement, and while the difference exceeds 30 s
   */
  check(): void;
  /** Tells whether `check` would pass. */
  isRight(): boolean;
}

export interface MeasuredClockOptions {
  readonly logger: Pick<Logger, 'error' | 'info' | 'debug'>;
  /** Clock that is corrected. */
  readonly systemMs?: () => number;
  /** Clock that nobody sets, to measure how long an answer took. */
  readonly monotonicMs?: () => number;
}

const everyMs = 10_000;
/** Pause after a failed measurement. */
const againMs = 500;
const allowedMs = 30_000;
/**
 * Answer time up to which a measurement always counts. The reference was read at some moment during the round trip, so
 * half of that time is uncertain.
 */
const quickMs = 1_000;

/** Creates the clock. It is one closure, because measurement and report share the difference. */
export function createMeasuredClock({
  logger,
  systemMs = Date.now,
  monotonicMs = () => performance.now(),
}: MeasuredClockOptions): MeasuredClock {
  const first = Promise.withResolvers<void>();
  let aheadMs: number | undefined;
  let referenceName = '';
  const wrong = () => aheadMs !== undefined && Math.abs(aheadMs) > allowedMs;

  const take = (name: string, measuredMs: number) => {
    const wasWrong = wrong();
    aheadMs = measuredMs;
    referenceName = name;
    first.resolve();
    if (wrong() && !wasWrong) {
      logger.error({ reason: describeDifference(measuredMs, name) }, 'clock deviation detected');
    } else if (wasWrong && !wrong()) {
      logger.info({ reason: describeDifference(measuredMs, name) }, 'clock deviation ended');
    }
  };
  const measure = async ({ name, read }: ClockReference) => {
    const startedMs = monotonicMs();
    const referenceMs = await read();
    const tookMs = monotonicMs() - startedMs;
    const measuredMs = systemMs() - tookMs / 2 - referenceMs;
    // A slow answer counts only if the difference exceeds its own uncertainty.
    const isUsable = aheadMs === undefined || tookMs <= quickMs || Math.abs(measuredMs - aheadMs) > tookMs;
    // Within the uncertainty, and the resolution of clocks of a millisecond, there is no difference: a clock on the
    // reference's own machine is not corrected.
    if (isUsable) take(name, Math.abs(measuredMs) <= tookMs / 2 + 1 ? 0 : Math.round(measuredMs));
    return isUsable;
  };
  const keepMeasuring = async (reference: ClockReference, signal: AbortSignal) => {
    while (!signal.aborted) {
      const done = await measure(reference).catch((err: unknown) => {
        logger.debug({ err, peer: reference.name }, 'clock measurement failed');
        return false;
      });
      await delay(done ? everyMs : againMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  };
  const nowMs = () => {
    if (aheadMs === undefined || wrong())
      throw new AppError({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 2 });
    return systemMs() - aheadMs;
  };
  return {
    now: () => new Date(nowMs()),
    bestKnown: () => new Date(systemMs() - (aheadMs ?? 0)),
    nowMs,
    follow(reference) {
      const stopping = new AbortController();
      void keepMeasuring(reference, stopping.signal);
      return () => stopping.abort();
    },
    measured: (withinMs = 5_000) => Promise.race([first.promise, delay(withinMs, undefined, { ref: false })]),
    isRight: () => aheadMs !== undefined && !wrong(),
    check() {
      if (aheadMs === undefined) throw new NotReady('not measured yet');
      if (wrong()) throw new NotReady(describeDifference(aheadMs, referenceName));
    },
  };
}

function describeDifference(aheadMs: number, name: string): string {
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  return `${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} ${name}`;
}
