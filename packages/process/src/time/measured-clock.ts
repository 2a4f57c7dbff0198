import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../errors/app-error.ts';
import type { Logger } from '../log/logger.ts';
import { NotReady } from '../management/health.ts';
import type { Clock } from './clock.ts';

/** Whose time counts. */
export interface ClockReference {
  /** For logs and health: `PostgreSQL`. */
  readonly name: string;
  /** Its time, in ms since 1970. */
  read(): Promise<number>;
}

/**
 * This machine's clock, corrected by what a reference says: tokens are judged by it, and what is written has its time.
 * Beyond 30 s one of the two is wrong, and a reference that was turned must not bring ended tokens back: nothing
 * is judged then.
 */
export interface MeasuredClock {
  /**
   * @throws AppError SERVICE_UNAVAILABLE before the first measurement, and while the difference is beyond 30 s: nothing may
   * be judged by an unknown clock
   */
  readonly now: Clock;
  /**
   * Time like `now`, but before the first measurement this machine's own, and the reference's however far they are apart: for
   * what services write, whose copies must date alike.
   */
  readonly bestKnown: Clock;
  /** As `now`, in ms since 1970. */
  readonly nowMs: () => number;
  /** Measures now and every 10 s until the result is called. */
  follow(reference: ClockReference): () => void;
  /** Resolves after the first measurement, and at the latest after `withinMs` (5,000). */
  measured(withinMs?: number): Promise<void>;
  /** For readiness. @throws NotReady before the first measurement, and while the difference is beyond 30 s */
  check(): void;
  /** Whether `check` would pass. */
  isRight(): boolean;
}

export interface MeasuredClockOptions {
  readonly logger: Pick<Logger, 'error' | 'info' | 'debug'>;
  /** The clock that is corrected. */
  readonly systemMs?: () => number;
  /** A clock that nobody sets, for how long an answer took. */
  readonly monotonicMs?: () => number;
}

const everyMs = 10_000;
/** After an attempt that gave nothing. */
const againMs = 500;
const allowedMs = 30_000;
/** The reference was read at some moment of the way there and back, so half of that is not known. */
const quickMs = 1_000;

/** One closure, because what is measured and what is said of it share the difference. */
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
      logger.error({ reason: difference(measuredMs, name) }, 'the clock of this machine is wrong');
    } else if (wasWrong && !wrong()) {
      logger.info({ reason: difference(measuredMs, name) }, 'the clock of this machine is right again');
    }
  };
  const measure = async ({ name, read }: ClockReference) => {
    const startedMs = monotonicMs();
    const referenceMs = await read();
    const tookMs = monotonicMs() - startedMs;
    const measuredMs = systemMs() - tookMs / 2 - referenceMs;
    // A slow answer counts only where it says more than its own uncertainty.
    const says = aheadMs === undefined || tookMs <= quickMs || Math.abs(measuredMs - aheadMs) > tookMs;
    // Within what is not known, and the millisecond that clocks are read by, there is no difference: a clock on the
    // reference's own machine stays as it is.
    if (says) take(name, Math.abs(measuredMs) <= tookMs / 2 + 1 ? 0 : Math.round(measuredMs));
    return says;
  };
  const keepMeasuring = async (reference: ClockReference, signal: AbortSignal) => {
    while (!signal.aborted) {
      const done = await measure(reference).catch((err: unknown) => {
        logger.debug({ err, peer: reference.name }, 'the clock could not be measured');
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
      if (wrong()) throw new NotReady(difference(aheadMs, referenceName));
    },
  };
}

function difference(aheadMs: number, name: string): string {
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  return `${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} ${name}`;
}
