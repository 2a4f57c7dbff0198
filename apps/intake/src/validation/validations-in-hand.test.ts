import { describe, expect, it } from 'vitest';
import { createValidationsInHand, type InHand } from './validations-in-hand.ts';

/** Validations that end when they are told to, in the order they began. */
function ground({ slots = 2, ...limits }: { slots?: number; mostWaiting?: number; mostBytes?: number } = {}) {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const settings = { slots };
  const hand = createValidationsInHand({
    ...limits,
    slots: () => settings.slots,
    validate: ({ job }) => {
      begun.push(job.requestId);
      return new Promise((resolve) => ends.push(resolve));
    },
  });
  const endFirst = async () => {
    ends.shift()?.();
    await new Promise(setImmediate);
  };
  return { ...hand, begun, settings, endFirst };
}

const named = (requestId: string) => ({ job: { requestId, attempt: 1 } }) as InHand;

describe('validations in hand', () => {
  it('run in their order, as many at once as there are slots', async () => {
    const { take, begun, endFirst } = ground();
    for (const id of ['a', 'b', 'c', 'd']) take(0)?.start(named(id));
    expect(begun).toEqual(['a', 'b']);
    await endFirst();
    expect(begun).toEqual(['a', 'b', 'c']);
  });

  it('use slots that were added when one of them ends', async () => {
    const { take, begun, settings, endFirst } = ground({ slots: 1 });
    for (const id of ['a', 'b', 'c']) take(0)?.start(named(id));
    settings.slots = 4;
    await endFirst();
    expect(begun).toEqual(['a', 'b', 'c']);
  });

  it('have no place beyond their number until one is over or given back', async () => {
    const { take, endFirst } = ground({ mostWaiting: 2 });
    take(0)?.start(named('a'));
    const second = take(0);
    expect(take(0)).toBeUndefined();
    second?.release();
    take(0)?.start(named('b'));
    expect(take(0)).toBeUndefined();
    await endFirst();
    expect(take(0)).toBeDefined();
  });

  it('have no place for more bytes of files than they may hold', async () => {
    const { take, endFirst } = ground({ mostBytes: 100 });
    take(60)?.start(named('a'));
    expect(take(41)).toBeUndefined();
    expect(take(40)).toBeDefined();
    await endFirst();
    expect(take(60)).toBeDefined();
  });

  it('are finished before a stop resolves, which lets no more in', async () => {
    const { take, stop, endFirst } = ground();
    const place = take(0);
    let stopped = false;
    const stopping = stop().then(() => {
      stopped = true;
    });
    expect(take(0)).toBeUndefined();
    place?.start(named('a'));
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
