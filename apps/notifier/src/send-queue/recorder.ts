import { setTimeout as delay } from 'node:timers/promises';
import { isDatabaseUnavailable } from '@rubrica/database/connection';
import type { Logger } from '@rubrica/process/log';
import { createBatcher } from './batcher.ts';

/** Finished attempt, under the fence of its lease. */
export interface FinishedAttempt {
  readonly id: string;
  readonly fence: number;
  readonly durationMs: number;
}

const maxBatch = 200;
const retryMs = 500;
/**
 * Short compared with an attempt: it extends the time in which a crash loses records, whose attempts are then repeated.
 */
const gatherMs = 20;

export interface Recorder<Record> {
  add(ended: Record): void;
  /** Resolves when all records have been written or given up. */
  settled(): Promise<void>;
}

/**
 * Creates a recorder that writes in batches and retries while PostgreSQL is unavailable, until the lease ends. Another
 * worker then sends again with the same id (at least once). After any other fault each record is written alone: the row
 * of one must not keep the others of its batch.
 */
export function createRecorder<Record extends FinishedAttempt>(deps: {
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
    let isAlone = false;
    for (;;) {
      try {
        const isLeaseHeld = isAlone ? (await deps.write([ended]))[0] : await batcher.add(ended);
        if (!isLeaseHeld) logger.warn({ jobId, fence }, 'lease lost');
        return;
      } catch (err) {
        logger.warn({ err, jobId }, 'attempt not recorded');
        if (performance.now() > deadline) return;
        isAlone = !isDatabaseUnavailable(err);
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
