import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@rubrica/process';
import { type SupersedeDeps, supersedeFormer } from './supersede-former.ts';

/** A partner has been told that the new certificate is there, and waits for the end of the former. */
const lookEveryMs = 2_000;

/** Supersedes what is due, every two seconds, at a moment of its own in each copy, until stopped. */
export function startSuperseding(deps: SupersedeDeps & { readonly logger: Pick<Logger, 'warn' | 'error'> }): {
  stop(): Promise<void>;
} {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async () => {
    while (!signal.aborted) {
      await delay(lookEveryMs * (0.8 + 0.4 * Math.random()), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await supersedeFormer(deps);
      } catch (err) {
        deps.logger.error({ err }, 'superseding certificates failed; the next round tries again');
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
