import { setTimeout as wait } from 'node:timers/promises';
import { type Bus, streamState } from '@rubrica/bus';
import { publishedStreams } from '@rubrica/contracts/messages/messages';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import type { Database } from '@rubrica/database/connection';
import { type RebuiltStream, rebuildStream } from '@rubrica/database/rebuild';
import type { ServiceParts } from '@rubrica/process/runner';

export interface RebuildOptions {
  readonly service: ServiceName;
  readonly streams: Bus;
  readonly database: Pick<Database, 'schema' | 'transaction'>;
  /** Called when messages are to be published again. */
  readonly onRebuilt: () => void;
}

const checkEveryMs = 4_000;

/** Starts the refill of lost streams: their messages are published again once provisioning has created them. */
export function startRebuild(
  { service, streams, database, onRebuilt }: RebuildOptions,
  { logger, runner }: Pick<ServiceParts, 'logger' | 'runner'>,
): void {
  const stopping = new AbortController();
  const { signal } = stopping;
  async function look(stream: RebuiltStream): Promise<void> {
    const state = await streamState(streams, stream.name);
    if (state === undefined) return;
    const count = await rebuildStream(database, stream, state);
    if (count === 0) return;
    logger.warn(
      { stream: stream.name, count },
      'a stream was lost and made again: its messages are sent again',
    );
    onRebuilt();
  }
  async function run(): Promise<void> {
    for (let isTroubled = false; !signal.aborted; ) {
      try {
        if (streams.isConnected()) for (const stream of publishedStreams(service)) await look(stream);
        isTroubled = false;
      } catch (err) {
        if (!isTroubled) logger.warn({ err }, 'stream check failed');
        isTroubled = true;
      }
      await wait(checkEveryMs * (0.8 + 0.4 * Math.random()), undefined, { signal }).catch(() => undefined);
    }
  }
  const ended = run();
  runner.own('rebuild of streams', async () => {
    stopping.abort();
    await ended;
  });
}
