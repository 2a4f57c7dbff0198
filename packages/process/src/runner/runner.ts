import type { Logger } from '../log/logger.ts';

/** Frees what it was registered for. `signal` fires when its time is up: cut connections then. */
export type Stop = (signal: AbortSignal) => Promise<unknown> | unknown;

export type StopFault = { cleanup: string; outcome: 'failed' | 'hung' | 'skipped' };
export type StopReport = { durationMs: number; faults: readonly StopFault[] };

export type Runner = {
  /**
   * Makes the runner the owner of something that must be stopped. Register in the order of creation:
   * stopping goes backwards.
   *
   * @param options.timeoutMs the most this one may take of the common deadline
   * @throws RunnerStoppingError when the stop has begun; what was passed is stopped at once
   */
  own(cleanup: string, stop: Stop, options?: { timeoutMs?: number }): void;
  markReady(): void;
  isReady(): boolean;
  /** Fires as it turns not ready for good: work goes on, and whoever calls is asked to call elsewhere. */
  readonly draining: AbortSignal;
  /** Fires as the stop begins, after the drain: long waits and loops end on it. */
  readonly stopping: AbortSignal;
  /**
   * Not ready, then, where it was ready, the drain, then every cleanup, newest first, one after the other. A second call ends the
   * drain at once and joins the first.
   */
  stop(reason: string): Promise<StopReport>;
};

export class RunnerStoppingError extends Error {
  constructor(cleanup: string) {
    super(`${cleanup} was created while the service was stopping`);
    this.name = 'RunnerStoppingError';
  }
}

type Owned = { cleanup: string; stop: Stop; timeoutMs: number };

/**
 * One closure, because starting and stopping share the list of what is owned.
 * @param options.stopTimeoutMs one deadline for all cleanups together: a cleanup that still runs then is given up and
 *   logged by name, and the rest is skipped, because the platform is about to kill the process
 * @param options.drainDelayMs time between "not ready" and the first cleanup, not part of that deadline
 */
export function createRunner({
  logger,
  stopTimeoutMs,
  drainDelayMs = 0,
  nowMs = () => performance.now(),
}: {
  logger: Pick<Logger, 'info' | 'error'>;
  stopTimeoutMs: number;
  drainDelayMs?: number;
  nowMs?: () => number;
}): Runner {
  const owned: Owned[] = [];
  const draining = new AbortController();
  const stopping = new AbortController();
  const drained = Promise.withResolvers<void>();
  let ready = false;
  let stopped: Promise<StopReport> | undefined;

  /** Nobody was sent to what was never ready. */
  async function drain(reason: string): Promise<void> {
    logger.info({ reason, durationMs: drainDelayMs }, 'not ready, still answering');
    const timer = setTimeout(drained.resolve, drainDelayMs);
    await drained.promise;
    clearTimeout(timer);
  }

  /** Begins the stop in this turn, so that what is created from now on is stopped at once. */
  function beginStop(reason: string): Promise<StopReport> {
    stopping.abort(new Error(`stopping: ${reason}`));
    return Promise.resolve().then(() => stopAll(reason));
  }

  async function stopAll(reason: string): Promise<StopReport> {
    const startedAtMs = nowMs();
    logger.info({ reason, deadlineMs: stopTimeoutMs }, 'stopping');
    const faults: StopFault[] = [];
    let leftMs = stopTimeoutMs;
    for (let next = owned.pop(); next; next = owned.pop()) {
      const fault = leftMs <= 0 ? skip(next, logger) : await runCleanup(next, leftMs, logger);
      if (fault) faults.push(fault);
      // A timer may fire a moment early: after a cut at the common deadline nothing is left, whatever the clock says.
      const isOver = fault?.outcome === 'hung' && next.timeoutMs >= leftMs;
      leftMs = isOver ? 0 : stopTimeoutMs - (nowMs() - startedAtMs);
    }
    const durationMs = Math.round(nowMs() - startedAtMs);
    logger.info({ durationMs, count: faults.length }, 'stopped');
    return { durationMs, faults };
  }
  return {
    own(cleanup, stop, { timeoutMs = Number.POSITIVE_INFINITY } = {}) {
      if (!stopping.signal.aborted) {
        owned.push({ cleanup, stop, timeoutMs });
        return;
      }
      void runCleanup({ cleanup, stop, timeoutMs }, stopTimeoutMs, logger);
      throw new RunnerStoppingError(cleanup);
    },
    markReady() {
      ready = true;
    },
    isReady: () => ready && !stopped,
    draining: draining.signal,
    stopping: stopping.signal,
    stop(reason) {
      if (stopped) {
        drained.resolve();
        return stopped;
      }
      const drains = ready && drainDelayMs > 0;
      draining.abort(new Error(`not ready: ${reason}`));
      stopped = drains ? drain(reason).then(() => beginStop(reason)) : beginStop(reason);
      return stopped;
    },
  };
}

function skip({ cleanup }: Owned, logger: Pick<Logger, 'error'>): StopFault {
  logger.error({ cleanup }, 'cleanup skipped: the time to stop is over');
  return { cleanup, outcome: 'skipped' };
}

async function runCleanup(
  { cleanup, stop, timeoutMs }: Owned,
  leftMs: number,
  logger: Pick<Logger, 'error'>,
): Promise<StopFault | undefined> {
  const limitMs = Math.min(leftMs, timeoutMs);
  const limit = new AbortController();
  const cut = Promise.withResolvers<'hung'>();
  const timer = setTimeout(() => {
    limit.abort(new Error(`${cleanup} took longer than ${Math.round(limitMs)} ms`));
    cut.resolve('hung');
  }, limitMs);
  try {
    const done = Promise.resolve(limit.signal)
      .then(stop)
      .then(() => undefined);
    // A cleanup that fails after it was cut has been reported; it must not crash the rest.
    done.catch(() => undefined);
    if ((await Promise.race([done, cut.promise])) === undefined) return undefined;
    logger.error({ cleanup, deadlineMs: Math.round(limitMs) }, 'cleanup hangs and was cut');
    return { cleanup, outcome: 'hung' };
  } catch (error) {
    logger.error({ cleanup, err: error }, 'cleanup failed');
    return { cleanup, outcome: 'failed' };
  } finally {
    clearTimeout(timer);
  }
}
