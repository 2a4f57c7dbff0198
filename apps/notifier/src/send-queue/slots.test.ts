import { describe, expect, it } from 'vitest';
import { createSlots } from './slots.ts';

describe('createSlots', () => {
  it('keeps one destination from taking the room of others', () => {
    const slots = createSlots({ total: 5, perDestination: 1, inHandPerDestination: 2 });
    expect([1, 2, 3].map(() => slots.tryTake({ destination: 'dead' }))).toEqual([true, true, false]);
    expect(slots.tryTake({ destination: 'healthy' })).toBe(true);
    expect(slots.free()).toBe(2);
    expect(slots.leftByDestination()).toEqual([
      { destination: 'dead', left: 0, resting: false },
      { destination: 'healthy', left: 1, resting: false },
    ]);
  });

  it('gives no more than the total', () => {
    const slots = createSlots({ total: 2, perDestination: 1, inHandPerDestination: 2 });
    expect(['a', 'b', 'c'].map((name) => slots.tryTake({ destination: name }))).toEqual([true, true, false]);
    slots.release({ destination: 'a' });
    expect(slots.tryTake({ destination: 'c' })).toBe(true);
    expect(slots.inUse()).toBe(2);
  });

  it('shows no room while more is taken than there is', () => {
    const slots = createSlots({ total: 1, perDestination: 1, inHandPerDestination: 1 });
    slots.take({ destination: 'a' });
    slots.take({ destination: 'a' });
    expect([slots.free(), slots.leftByDestination()]).toEqual([
      0,
      [{ destination: 'a', left: 0, resting: false }],
    ]);
    slots.release({ destination: 'a' });
    expect(slots.tryTake({ destination: 'a' })).toBe(false);
  });

  it('leaves room for the next partner, however many destinations those before have', () => {
    const slots = createSlots({ total: 40, perDestination: 1, inHandPerDestination: 1 });
    let next = 0;
    const takenBy = (partnerId: string) => {
      let taken = 0;
      while (slots.tryTake({ destination: `host${next++}`, partnerId })) taken++;
      return taken;
    };
    expect(takenBy('noisy')).toBe(30);
    expect(slots.leftByPartner()).toEqual([{ partnerId: 'noisy', left: 0 }]);
    expect(takenBy('second')).toBe(10);
    for (let host = 0; host < 30; host++) slots.release({ destination: `host${host}`, partnerId: 'noisy' });
    expect(takenBy('noisy')).toBe(17);
    expect(takenBy('third')).toBe(12);
    expect(slots.leftForNewPartner()).toBe(9);
  });

  it('forgets a destination that is quiet again', () => {
    const slots = createSlots({ total: 2, perDestination: 1, inHandPerDestination: 2 });
    slots.tryTake({ destination: 'a' });
    slots.release({ destination: 'a' });
    expect(slots.leftByDestination()).toEqual([]);
    expect(() => slots.release({ destination: 'a' })).toThrow('not taken');
  });
});
