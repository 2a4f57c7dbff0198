import { setTimeout as delay } from 'node:timers/promises';

export interface Batcher<Item, Result> {
  /** Resolves with the item's own result once the batch it travelled in has been written. */
  add(item: Item): Promise<Result>;
}

interface Entry<Item, Result> {
  readonly item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

interface Writer<Item, Result> {
  /** Gives one result per item, in the items' order. */
  write(items: readonly Item[]): Promise<readonly Result[]>;
  /** The end of a write that gives its results earlier: what comes until then travels together. */
  ended?(result: Result): Promise<void>;
}

interface Gathering {
  readonly maxItems: number;
  /** A wait for company, for what nobody waits for; none unless told. */
  readonly gatherMs?: number;
}

/**
 * Joins what arrives while the write before it is under way, so that a burst shares round trips and commits. Unless told to gather
 * it never waits for more: a lone item is written at once.
 */
export function createBatcher<Item, Result>({
  maxItems,
  gatherMs,
  ...writer
}: Writer<Item, Result> & Gathering): Batcher<Item, Result> {
  const waiting: Entry<Item, Result>[] = [];
  let draining = false;

  async function drain(): Promise<void> {
    draining = true;
    // A turn of the microtask queue lets callers of one tick travel together.
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
