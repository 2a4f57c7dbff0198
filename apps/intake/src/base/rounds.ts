import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@rubrica/process';

export interface Rounds {
  /** Resolves when the round under way has ended. */
  stop(): Promise<void>;
}

interface RoundsOptions {
  readonly everyMs: number;
  /** For the log, such as "superseding certificates". */
  readonly what: string;
  readonly logger: Pick<Logger, 'error'>;
}

/** Does a round again and again, at a moment of its own in each copy, until stopped; after one that failed comes the next. */
export function startRounds(round: () => Promise<void>, { everyMs, what, logger }: RoundsOptions): Rounds {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async () => {
    while (!signal.aborted) {
      await delay(everyMs * (0.8 + 0.4 * Math.random()), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await round();
      } catch (err) {
        logger.error({ err }, `${what} failed; the next round tries again`);
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
