import { setTimeout as delay } from 'node:timers/promises';

export interface Batcher<Item, Result> {
  /** Resolves with the item's own result once its batch has been written. */
  add(item: Item): Promise<Result>;
}

interface Entry<Item, Result> {
  readonly item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

interface Writer<Item, Result> {
  /** Returns one result per item, in the items' order. */
  write(items: readonly Item[]): Promise<readonly Result[]>;
  /** Waits for the end of a write that returns its results earlier; items that arrive before it share a batch. */
  ended?(result: Result): Promise<void>;
}

interface BatchOptions {
  readonly maxItems: number;
  /** Delay for more items, where no caller waits; none by default. */
  readonly gatherMs?: number;
}

/**
 * Creates a batcher that joins items which arrive during the previous write, so that a burst shares round trips and
 * commits. Without `gatherMs` it never delays: a single item is written immediately.
 */
export function createBatcher<Item, Result>({
  maxItems,
  gatherMs,
  ...writer
}: Writer<Item, Result> & BatchOptions): Batcher<Item, Result> {
  const waiting: Entry<Item, Result>[] = [];
  let draining = false;

  async function drain(): Promise<void> {
    draining = true;
    // One microtask lets callers of the same tick share a batch.
    await undefined;
    while (waiting.length > 0) {
      if (gatherMs !== undefined) await delay(gatherMs);
      await writeBatch(waiting.splice(0, maxItems), writer);
    }
    draining = false;
  }

  return {
    add(item) {
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      waiting.push({ item, resolve, reject });
      if (!draining) void drain();
      return promise;
    },
  };
}

async function writeBatch<Item, Result>(
  batch: readonly Entry<Item, Result>[],
  { write, ended }: Writer<Item, Result>,
): Promise<void> {
  try {
    const results = await write(batch.map(({ item }) => item));
    if (results.length !== batch.length) throw new Error('a batch gave another number of results than items');
    for (const [index, entry] of batch.entries()) entry.resolve(results[index] as Result);
    if (ended !== undefined) await Promise.all(results.map(ended));
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}
