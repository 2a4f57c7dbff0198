import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@rubrica/process/log';
import { type ReportPurgedDeps, reportPurgedBundles } from './report-purged-bundles.ts';

/** Notifies generation every minute, with random jitter per copy, until stopped. */
export function startReportingPurged(
  deps: ReportPurgedDeps & { logger: Pick<Logger, 'warn'> },
  everyMs = 60_000,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async () => {
    while (!signal.aborted) {
      await delay(everyMs * (0.8 + 0.4 * Math.random()), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await reportPurgedBundles(deps);
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
