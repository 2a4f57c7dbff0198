import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLocalValidationQueue, type PendingValidation } from './local-validation-queue.ts';

interface Limits {
  readonly slots?: number;
  readonly mostWaiting?: number;
  readonly mostBytes?: number;
}

/** Validations that end when they are told to, in the order they began. */
function ground({ slots = 2, ...limits }: Limits = {}) {
  const begun: string[] = [];
  const handedOver: string[] = [];
  const renewed: string[][] = [];
  const ends: (() => void)[] = [];
  const settings = { slots };
  const hand = createLocalValidationQueue({
    ...limits,
    renewEveryMs: 10_000,
    slots: () => settings.slots,
    work: {
      validate({ job }) {
        begun.push(job.requestId);
        return new Promise((resolve) => ends.push(resolve));
      },
      async handOver({ job }) {
        handedOver.push(job.requestId);
      },
      async renew(waiting) {
        renewed.push(waiting.map(({ job }) => job.requestId));
      },
    },
  });
  const endFirst = async () => {
    ends.shift()?.();
    await new Promise(setImmediate);
  };
  return { ...hand, begun, handedOver, renewed, settings, endFirst };
}

const named = (requestId: string) => ({ job: { requestId, attempt: 1 } }) as PendingValidation;

describe('a partner that registers much', () => {
  const all = (count: number) => Array.from({ length: count }, (_, number) => `acme ${number}`);

  it('leaves slots to others, and is served in turn with them', async () => {
    const { reserve, begun, endFirst } = ground({ slots: 8 });
    for (const id of all(20)) reserve(0, 'acme')?.start(named(id));
    expect(begun).toEqual(all(6));
    for (const id of ['x', 'y']) reserve(0, 'other')?.start(named(id));
    expect(begun.slice(6)).toEqual(['x', 'y']);
    for (const id of ['v', 'w']) reserve(0, 'third')?.start(named(id));
    await endFirst();
    expect(begun.slice(8)).toEqual(['v']);
  });

  it('leaves places to others', () => {
    const { reserve } = ground({ mostWaiting: 8 });
    const taken = all(20).map(() => reserve(0, 'acme'));
    expect(taken.filter((place) => place !== undefined)).toHaveLength(6);
    expect(reserve(0, 'other')).toBeDefined();
    taken[0]?.release();
    expect(reserve(0, 'acme')).toBeUndefined();
  });
});

describe('validations in hand', () => {
  it('run in their order, as many at once as there are slots', async () => {
    const { reserve, begun, endFirst } = ground();
    for (const id of ['a', 'b', 'c', 'd']) reserve(0, 'acme')?.start(named(id));
    expect(begun).toEqual(['a', 'b']);
    await endFirst();
    expect(begun).toEqual(['a', 'b', 'c']);
  });

  it('use slots that were added when one of them ends', async () => {
    const { reserve, begun, settings, endFirst } = ground({ slots: 1 });
    for (const id of ['a', 'b', 'c']) reserve(0, 'acme')?.start(named(id));
    settings.slots = 4;
    await endFirst();
    expect(begun).toEqual(['a', 'b', 'c']);
  });

  it('have no place beyond their number until one is over or given back', async () => {
    const { reserve, endFirst } = ground({ mostWaiting: 2 });
    reserve(0, 'acme')?.start(named('a'));
    const second = reserve(0, 'acme');
    expect(reserve(0, 'acme')).toBeUndefined();
    second?.release();
    reserve(0, 'acme')?.start(named('b'));
    expect(reserve(0, 'acme')).toBeUndefined();
    await endFirst();
    expect(reserve(0, 'acme')).toBeDefined();
  });

  it('hold no more bytes of files than they may, and have a place without its files beyond', async () => {
    const { reserve, endFirst } = ground({ mostBytes: 100 });
    const first = reserve(60, 'acme');
    expect(first?.holdsFiles).toBe(true);
    first?.start(named('a'));
    const second = reserve(41, 'acme');
    expect(second?.holdsFiles).toBe(false);
    second?.start(named('b'));
    const third = reserve(40, 'acme');
    expect(third?.holdsFiles).toBe(true);
    third?.release();
    await endFirst();
    expect(reserve(100, 'acme')?.holdsFiles).toBe(true);
  });

  describe('that wait', () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
    afterEach(() => void vi.useRealTimers());

    it('have their leases renewed once they have waited for a third of them, until their turn', async () => {
      const { reserve, renewed, endFirst } = ground({ slots: 1 });
      for (const id of ['a', 'b', 'c']) reserve(0, 'acme')?.start(named(id));
      vi.advanceTimersByTime(5_000);
      reserve(0, 'acme')?.start(named('d'));
      vi.advanceTimersByTime(5_000);
      expect(renewed).toEqual([['b', 'c']]);
      await endFirst();
      vi.advanceTimersByTime(10_000);
      expect(renewed).toEqual([
        ['b', 'c'],
        ['c', 'd'],
      ]);
      for (let ended = 0; ended < 3; ended += 1) await endFirst();
      expect(vi.getTimerCount()).toBe(0);
    });
  });

  it('that wait are handed over at a stop, and so is what is registered only then', async () => {
    const { reserve, stop, begun, handedOver, endFirst } = ground({ slots: 1 });
    for (const id of ['a', 'b', 'c']) reserve(0, 'acme')?.start(named(id));
    const late = reserve(0, 'acme');
    const stopping = stop();
    expect(handedOver).toEqual(['b', 'c']);
    late?.start(named('d'));
    expect(handedOver).toEqual(['b', 'c', 'd']);
    await endFirst();
    await stopping;
    expect(begun).toEqual(['a']);
  });

  it('are finished before a stop resolves, which lets no more in', async () => {
    const { reserve, stop, endFirst } = ground();
    reserve(0, 'acme')?.start(named('a'));
    let stopped = false;
    const stopping = stop().then(() => {
      stopped = true;
    });
    expect(reserve(0, 'acme')).toBeUndefined();
    await new Promise(setImmediate);
    expect(stopped).toBe(false);
    await endFirst();
    await stopping;
    expect(stopped).toBe(true);
  });

  it('stop at once where there are none', async () => {
    await ground().stop();
  });
});
