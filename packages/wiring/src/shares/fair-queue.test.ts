import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFairQueue, ownerShare } from './fair-queue.ts';

interface Item {
  readonly owner: string;
  readonly number: number;
}

const owners = fc.constantFrom('a', 'b', 'c', 'd');
const added = fc.array(owners, { maxLength: 60 });

function filled(order: readonly string[]) {
  const queue = createFairQueue<Item>();
  order.forEach((owner, number) => {
    queue.add(owner, { owner, number });
  });
  return queue;
}

function takeAll(queue: ReturnType<typeof filled>, shareOf?: (active: number) => number): Item[] {
  const taken: Item[] = [];
  for (let item = queue.next(shareOf); item !== undefined; item = queue.next(shareOf)) taken.push(item);
  return taken;
}

describe('a fair queue', () => {
  it('gives out everything once, and the items of one owner in their order', () => {
    fc.assert(
      fc.property(added, (order) => {
        const queue = filled(order);
        expect(queue.size).toBe(order.length);
        const taken = takeAll(queue);
        expect(taken.map(({ number }) => number).sort((one, other) => one - other)).toEqual([
          ...order.keys(),
        ]);
        for (const owner of new Set(order)) {
          const numbers = taken.filter((item) => item.owner === owner).map(({ number }) => number);
          expect(numbers).toEqual([...numbers].sort((one, other) => one - other));
        }
        expect(queue.size).toBe(0);
      }),
    );
  });

  it('serves every owner that waits before it serves one of them again', () => {
    fc.assert(
      fc.property(added, (order) => {
        const left = new Map<string, number>();
        for (const owner of order) left.set(owner, (left.get(owner) ?? 0) + 1);
        let round = new Set(left.keys());
        for (const { owner } of takeAll(filled(order))) {
          expect(round.has(owner)).toBe(true);
          round.delete(owner);
          left.set(owner, (left.get(owner) ?? 0) - 1);
          if (round.size === 0) round = new Set([...left].filter(([, n]) => n > 0).map(([name]) => name));
        }
      }),
    );
  });

  it('serves an owner that comes next, whatever another has waiting', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 0, max: 50 }), (many, served) => {
        const queue = filled(Array.from({ length: many }, () => 'noisy'));
        for (let count = 0; count < Math.min(served, many - 1); count++) queue.next();
        queue.add('other', { owner: 'other', number: many });
        const next = [queue.next(), queue.next()];
        expect(next.map((item) => item?.owner)).toContain('other');
      }),
    );
  });

  it('gives no owner more than its share at once, and a place that is over to who waits', () => {
    const share = fc.integer({ min: 1, max: 5 });
    fc.assert(
      fc.property(added, share, (order, most) => {
        const queue = filled(order);
        const running = takeAll(queue, () => most);
        for (const owner of new Set(order)) {
          const wanted = order.filter((name) => name === owner).length;
          expect(running.filter((item) => item.owner === owner)).toHaveLength(Math.min(wanted, most));
        }
        const [first] = running;
        if (first === undefined) return;
        queue.end(first.owner);
        const hasMore = queue.items().some(({ owner }) => owner === first.owner);
        expect(queue.next(() => most)?.owner).toBe(hasMore ? first.owner : undefined);
      }),
    );
  });
});

describe('the share of an owner', () => {
  it('leaves a place for one that comes, where there are four or more', () => {
    fc.assert(
      fc.property(fc.integer({ min: 4, max: 256 }), fc.integer({ min: 1, max: 64 }), (places, active) => {
        fc.pre(active <= places - Math.floor(places / 4));
        expect(ownerShare(places, active) * active).toBeLessThan(places);
      }),
    );
  });

  it.each([
    [1, 1, 1],
    [2, 1, 2],
    [3, 1, 3],
    [16, 1, 12],
    [16, 2, 6],
    [16, 100, 1],
  ])('of %i places among %i owners is %i', (places, active, share) => {
    expect(ownerShare(places, active)).toBe(share);
  });
});
