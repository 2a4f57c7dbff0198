import { setTimeout as delay } from 'node:timers/promises';
import type { IntakeDeps } from '../context.ts';
import { sweepRetention } from './sweep-retention.ts';
import { tellPeers } from './tell-peers.ts';

type Needs = Pick<IntakeDeps, 'database' | 'clock' | 'rules' | 'logger' | 'peers'>;

/** Erases what is due and tells the peers, every minute, at a moment of its own in each copy, until stopped. */
export function startRetention(deps: Needs, everyMs = 60_000): { stop(): Promise<void> } {
  const { database, clock, rules, logger } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async () => {
    while (!signal.aborted) {
      await delay(everyMs * (0.8 + 0.4 * Math.random()), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        const count = await sweepRetention(database, { now: clock(), days: rules.retention });
        if (count > 0) logger.info({ count }, 'requests were erased at the end of their retention');
        await tellPeers(deps);
      } catch (err) {
        logger.error({ err }, 'sweeping the retention failed; the next round tries again');
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
