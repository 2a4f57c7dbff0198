import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@rubrica/process/log';

export interface PeriodicJob {
  /** Resolves when the current run has ended. */
  stop(): Promise<void>;
}

interface PeriodicJobOptions {
  readonly everyMs: number;
  /** Name of the job in the log, such as "retention sweep". */
  readonly what: string;
  readonly logger: Pick<Logger, 'error'>;
}

/** Repeats a job until stopped, at a random moment in each copy. A failed run does not end the series. */
export function startPeriodicJob(
  job: () => Promise<void>,
  { everyMs, what, logger }: PeriodicJobOptions,
): PeriodicJob {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async () => {
    while (!signal.aborted) {
      await delay(everyMs * (0.8 + 0.4 * Math.random()), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await job();
      } catch (err) {
        logger.error({ err }, `${what} failed; will be retried`);
      }
    }
  };
  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
