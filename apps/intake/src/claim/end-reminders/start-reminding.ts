import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@rubrica/process';
import { type ReminderDeps, remindSubscribers } from './remind-subscribers.ts';

/** Often, so that many that are due at once go in small groups. */
const lookEveryMs = 1_000;

/** Sends the reminders that are due, every second, at a moment of its own in each copy, until stopped. */
export function startReminding(deps: ReminderDeps & { readonly logger: Pick<Logger, 'info' | 'error'> }): {
  stop(): Promise<void>;
} {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async () => {
    while (!signal.aborted) {
      await delay(lookEveryMs * (0.8 + 0.4 * Math.random()), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        const count = await remindSubscribers(deps);
        if (count > 0) deps.logger.info({ action: 'remind-subscribers', count }, 'reminded');
      } catch (err) {
        deps.logger.error({ err }, 'subscribers could not be reminded; the next round tries again');
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
