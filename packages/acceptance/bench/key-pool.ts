import { availableParallelism } from 'node:os';
import type { StackInfo } from '@rubrica/stack';
import { pollFor } from '@rubrica/testkit';
import { fetchMetric } from './metrics.ts';

const readyKeys = (info: StackInfo) => fetchMetric(info.metrics.generation, 'rubrica_key_pool_ready');

/** Waits until the pool stops growing: it is full, whatever its size. */
export async function fullPool(info: StackInfo): Promise<number> {
  let last = -1;
  return pollFor(
    async () => {
      const now = await readyKeys(info);
      const settled = now > 0 && now === last;
      last = now;
      return settled ? now : undefined;
    },
    // Longer than the generation of one key; otherwise a slow prime search would look like a full pool.
    { deadlineMs: 240_000, everyMs: 4_000, what: 'a full key pool' },
  );
}

/** Fails where keys of the pool remain. Each core may have made one since the last request took its key. */
export async function assertPoolIsEmpty(info: StackInfo): Promise<void> {
  const left = await readyKeys(info);
  if (left > availableParallelism())
    throw new Error(`${left} keys are left in the pool: it was to be drained`);
}
