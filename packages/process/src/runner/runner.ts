import type { Logger } from '../log/logger.ts';

/** Frees the resource that it was registered for. `signal` fires when its time is up: cut connections then. */
export type Stop = (signal: AbortSignal) => Promise<unknown> | unknown;

export type StopFault = { cleanup: string; outcome: 'failed' | 'hung' | 'skipped' };
export type StopReport = { durationMs: number; faults: readonly StopFault[] };

export type Runner = {
  /**
   * Makes the runner the owner of a resource that must be stopped. Register in the order of creation: stopping runs in
   * reverse.
   *
   * @param options.timeoutMs maximum time for this cleanup
   * @throws RunnerStoppingError if the stop has begun; the resource is then stopped immediately
   */
  own(cleanup: string, stop: Stop, options?: { timeoutMs?: number }): void;
  markReady(): void;
  isReady(): boolean;
  /** Fires when the service becomes unready permanently: work continues, and callers are asked to call elsewhere. */
  readonly draining: AbortSignal;
  /** Fires when the stop begins, after the drain: long waits and loops end. */
  readonly stopping: AbortSignal;
  /**
   * Stops: marks the service not ready, drains if it was ready, then runs every cleanup, newest first, one after the
   * other. A second call ends the drain immediately and joins the first.
   */
  stop(reason: string): Promise<StopReport>;
};

export class RunnerStoppingError extends Error {
  constructor(cleanup: string) {
    super(`${cleanup} was created while the service was stopping`);
    this.name = 'RunnerStoppingError';
  }
}

type OwnedResource = { cleanup: string; stop: Stop; timeoutMs: number };

/**
 * Creates a runner. It is one closure, because starting and stopping share the list of owned resources.
 * @param options.stopTimeoutMs one deadline for all cleanups together. A cleanup that still runs then is abandoned and
 * logged by name. The rest is skipped, because the platform is about to kill the process
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
  const owned: OwnedResource[] = [];
  const draining = new AbortController();
  const stopping = new AbortController();
  const drained = Promise.withResolvers<void>();
  let ready = false;
  let stopped: Promise<StopReport> | undefined;

  /** A service that was never ready received no callers and needs no drain. */
  async function drain(reason: string): Promise<void> {
    logger.info({ reason, durationMs: drainDelayMs }, 'drain started');
    const timer = setTimeout(drained.resolve, drainDelayMs);
    await drained.promise;
    clearTimeout(timer);
  }

  /** Begins the stop in this tick, so that resources created from now on are stopped immediately. */
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
      const fault = leftMs <= 0 ? skipCleanup(next, logger) : await runCleanup(next, leftMs, logger);
      if (fault) faults.push(fault);
      // A timer may fire slightly early: after a cut at the common deadline no time is left, whatever the clock says.
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

function skipCleanup({ cleanup }: OwnedResource, logger: Pick<Logger, 'error'>): StopFault {
  logger.error({ cleanup }, 'cleanup skipped: the time to stop is over');
  return { cleanup, outcome: 'skipped' };
}

async function runCleanup(
  { cleanup, stop, timeoutMs }: OwnedResource,
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
    // The failure of a cleanup that was cut has been reported; it must not crash the rest.
    done.catch(() => undefined);
    if ((await Promise.race([done, cut.promise])) === undefined) return undefined;
    logger.error({ cleanup, deadlineMs: Math.round(limitMs) }, 'cleanup timed out');
    return { cleanup, outcome: 'hung' };
  } catch (error) {
    logger.error({ cleanup, err: error }, 'cleanup failed');
    return { cleanup, outcome: 'failed' };
  } finally {
    clearTimeout(timer);
  }
}
