import { setTimeout as wait } from 'node:timers/promises';
import type { z } from 'zod';
import type { keySettings } from '../config/fragments.ts';
import type { Logger } from '../log/logger.ts';
import { metric } from '../metrics/described.ts';
import type { ServiceParts } from '../runner/run-service.ts';
import { type Keyring, loadKeyring } from './keyring.ts';

/** A key that must end ends within 5 s of the change: two looks fit into that, if one of them fails. */
const lookEveryMs = 2_000;

/** A service's keyring, which follows its files for as long as the service runs: no rotation needs a start. */
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
    everyMs: lookEveryMs,
    onLook: (isReadable) => unreadable.set(isReadable ? 0 : 1),
  });
  runner.own('key files', following.stop);
  return keyring;
}

/** Looks rather than waits to be told: a file system behind a container or a network tells nobody of a change. */
export function followKeyFiles(options: {
  keyring: Pick<Keyring, 'reread'>;
  logger: Pick<Logger, 'info' | 'error'>;
  everyMs: number;
  onLook(isReadable: boolean): void;
}): { stop(): Promise<void> } {
  const { keyring, logger, everyMs, onLook } = options;
  const stopping = new AbortController();
  let isReadable = true;
  async function look(): Promise<void> {
    try {
      if (await keyring.reread()) logger.info({}, 'key files read again');
      isReadable = true;
    } catch (err) {
      // Once, not at each look. A file that is being written is whole at the next one.
      if (isReadable) logger.error({ err }, 'the key files cannot be used; the keys of before stay');
      isReadable = false;
    }
    onLook(isReadable);
  }
  async function follow(): Promise<void> {
    const { signal } = stopping;
    while (!signal.aborted) {
      await wait(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (!signal.aborted) await look();
    }
  }
  const ended = follow();
  return {
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}
