import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@rubrica/process';
import { type TellGenerationDeps, tellGeneration } from './report-purged-bundles.ts';

/** Notifies generation every minute, with random jitter per copy, until stopped. */
export function startTellingGeneration(
  deps: TellGenerationDeps & { logger: Pick<Logger, 'warn'> },
  everyMs = 60_000,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async () => {
    while (!signal.aborted) {
      await delay(everyMs * (0.8 + 0.4 * Math.random()), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await tellGeneration(deps);
      } catch (err) {
        deps.logger.warn({ err }, 'purged bundles not reported to generation, retrying');
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
