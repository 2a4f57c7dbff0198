import { describe, expect, it } from 'vitest';
import { createBatcher } from './batcher.ts';

/** A writer that is released by hand and remembers its batches. */
function heldWriter() {
  const batches: (readonly number[])[] = [];
  const releases: (() => void)[] = [];
  const write = async (items: readonly number[]) => {
    batches.push(items);
    await new Promise<void>((resolve) => releases.push(resolve));
    return items.map((item) => item * 2);
  };
  return { batches, write, release: () => releases.shift()?.() };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('createBatcher', () => {
  it('writes a lone item at once and joins what arrives meanwhile', async () => {
    const { batches, write, release } = heldWriter();
    const batcher = createBatcher({ maxItems: 3, write });
    const results = [batcher.add(1)];
    await turn();
    results.push(...[2, 3, 4, 5].map((item) => batcher.add(item)));
    for (let i = 0; i < 3; i++) {
      await turn();
      release();
    }
    expect(await Promise.all(results)).toEqual([2, 4, 6, 8, 10]);
    expect(batches).toEqual([[1], [2, 3, 4], [5]]);
  });

  it('gathers what comes within a time, where it is told to', async () => {
    const { batches, write, release } = heldWriter();
    const batcher = createBatcher({ maxItems: 3, gatherMs: 200, write });
    const results = [batcher.add(1)];
    await turn();
    results.push(batcher.add(2));
    await expect.poll(() => batches.length).toBe(1);
    release();
    expect(await Promise.all(results)).toEqual([2, 4]);
    expect(batches).toEqual([[1, 2]]);
  });

  it('gives results before the end of their write, and joins what comes until then', async () => {
    const batches: (readonly number[])[] = [];
    const end = Promise.withResolvers<void>();
    const batcher = createBatcher<number, number>({
      maxItems: 3,
      async write(items) {
        batches.push(items);
        return items;
      },
      ended: () => end.promise,
    });
    expect(await batcher.add(1)).toBe(1);
    const results = [2, 3].map((item) => batcher.add(item));
    await turn();
    expect(batches).toEqual([[1]]);
    // However it ended: the results have been given.
    end.reject(new Error('no commit'));
    expect(await Promise.all(results)).toEqual([2, 3]);
    expect(batches).toEqual([[1], [2, 3]]);
  });

  it('fails only the batch that failed', async () => {
    let calls = 0;
    const batcher = createBatcher<number, number>({
      maxItems: 1,
      write: async (items) => {
        if (++calls === 1) throw new Error('no database');
        return items;
      },
    });
    const [first, second] = [batcher.add(1), batcher.add(2)];
    await expect(first).rejects.toThrow('no database');
    await expect(second).resolves.toBe(2);
  });

  it('refuses a writer that loses results', async () => {
    const batcher = createBatcher<number, number>({ maxItems: 10, write: async () => [] });
    await expect(batcher.add(1)).rejects.toThrow('another number of results');
  });
});
