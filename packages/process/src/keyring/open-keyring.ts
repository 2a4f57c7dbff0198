import { setTimeout as wait } from 'node:timers/promises';
import type { z } from 'zod';
import type { keySettings } from '../config/fragments.ts';
import type { Logger } from '../log/logger.ts';
import { metric } from '../metrics/metric-row.ts';
import type { ServiceParts } from '../runner/run-service.ts';
import { type Keyring, loadKeyring } from './keyring.ts';

/** A key that must end does so within 5 s of the change: two checks fit into that, in case one fails. */
const checkEveryMs = 2_000;

/** Opens a service's keyring, which follows its files while the service runs: rotations need no restart. */
export async function openKeyring(
  settings: z.output<typeof keySettings>,
  service: string,
  { logger, metrics, runner }: Pick<ServiceParts, 'logger' | 'metrics' | 'runner'>,
): Promise<Keyring> {
  const keyring = await loadKeyring(settings, service);
  const unreadable = metrics.gauge(metric('rubrica_key_files_unreadable'));
  unreadable.set(0);
  const following = followKeyFiles({
    keyring,
    logger,
    everyMs: checkEveryMs,
    onLook: (isReadable) => unreadable.set(isReadable ? 0 : 1),
  });
  runner.own('key files', following.stop);
  return keyring;
}

/** Follows the key files by polling: a file system behind a container or a network does not notify of changes. */
export function followKeyFiles(options: {
  keyring: Pick<Keyring, 'reread'>;
  logger: Pick<Logger, 'info' | 'error'>;
  everyMs: number;
  onLook(isReadable: boolean): void;
}): { stop(): Promise<void> } {
  const { keyring, logger, everyMs, onLook } = options;
  const stopping = new AbortController();
  let isReadable = true;
  async function check(): Promise<void> {
    try {
      if (await keyring.reread()) logger.info({}, 'key files read again');
      isReadable = true;
    } catch (err) {
      // Logged once, not at each check. A partly written file is complete at the next one.
      if (isReadable) logger.error({ err }, 'key files invalid, keeping previous keys');
      isReadable = false;
    }
    onLook(isReadable);
  }
  async function follow(): Promise<void> {
    const { signal } = stopping;
    while (!signal.aborted) {
      await wait(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (!signal.aborted) await check();
    }
  }
  const following = follow();
  return {
    async stop() {
      stopping.abort();
      await following;
    },
  };
}
