import { describe, expect, it } from 'vitest';
import { createSlots } from './slots.ts';

describe('createSlots', () => {
  it('keeps one destination from taking the room of others', () => {
    const slots = createSlots({ total: 5, perDestination: 1, inHandPerDestination: 2 });
    expect([1, 2, 3].map(() => slots.tryTake('dead'))).toEqual([true, true, false]);
    expect(slots.tryTake('healthy')).toBe(true);
    expect(slots.free()).toBe(2);
    expect(slots.leftByDestination()).toEqual([
      { destination: 'dead', left: 0, resting: false },
      { destination: 'healthy', left: 1, resting: false },
    ]);
  });

  it('gives no more than the total', () => {
    const slots = createSlots({ total: 2, perDestination: 1, inHandPerDestination: 2 });
    expect(['a', 'b', 'c'].map((name) => slots.tryTake(name))).toEqual([true, true, false]);
    slots.release('a');
    expect(slots.tryTake('c')).toBe(true);
    expect(slots.inUse()).toBe(2);
  });

  it('shows no room while more is taken than there is', () => {
    const slots = createSlots({ total: 1, perDestination: 1, inHandPerDestination: 1 });
    slots.take('a');
    slots.take('a');
    expect([slots.free(), slots.leftByDestination()]).toEqual([
      0,
      [{ destination: 'a', left: 0, resting: false }],
    ]);
    slots.release('a');
    expect(slots.tryTake('a')).toBe(false);
  });

  it('forgets a destination that is quiet again', () => {
    const slots = createSlots({ total: 2, perDestination: 1, inHandPerDestination: 2 });
    slots.tryTake('a');
    slots.release('a');
    expect(slots.leftByDestination()).toEqual([]);
    expect(() => slots.release('a')).toThrow('not taken');
  });
});
