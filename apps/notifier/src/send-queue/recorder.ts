import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@rubrica/process';
import { createBatcher } from './batcher.ts';

/** An attempt that came to an end, under the fence of its lease. */
export interface Ended {
  readonly id: string;
  readonly fence: number;
  readonly durationMs: number;
}

const maxBatch = 200;
const retryMs = 500;
/** Short beside an attempt: by so much later a crash finds more attempts unrecorded, which are then made again. */
const gatherMs = 20;

export interface Recorder<Record> {
  add(ended: Record): void;
  /** Resolves when everything added has been written or given up. */
  settled(): Promise<void>;
}

/**
 * Records in batches and holds on while PostgreSQL is away, until the lease ends: then another worker sends
 * again with the same id: at least once.
 */
export function createRecorder<Record extends Ended>(deps: {
  write(records: readonly Record[]): Promise<boolean[]>;
  leaseMs: number;
  logger: Pick<Logger, 'warn'>;
}): Recorder<Record> {
  const { leaseMs, logger } = deps;
  const batcher = createBatcher<Record, boolean>({ maxItems: maxBatch, gatherMs, write: deps.write });
  const pending = new Set<Promise<void>>();

  async function write(ended: Record): Promise<void> {
    const deadline = performance.now() + leaseMs - ended.durationMs;
    const { id: jobId, fence } = ended;
    for (;;) {
      try {
        const stillOurs = await batcher.add(ended);
        if (!stillOurs) logger.warn({ jobId, fence }, 'it had passed to another worker');
        return;
      } catch (err) {
        logger.warn({ err, jobId }, 'an attempt could not be recorded');
        if (performance.now() > deadline) return;
        await delay(retryMs);
      }
    }
  }

  return {
    add(ended) {
      const writing = write(ended).finally(() => pending.delete(writing));
      pending.add(writing);
    },
    settled: async () => void (await Promise.all(pending)),
  };
}
