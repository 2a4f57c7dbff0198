import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createTickGroups } from './tick-groups.ts';

describe('turns', () => {
  it('start work at once while little is going on', () => {
    const turns = createTickGroups();
    let started = 0;
    turns.start(() => {
      started += 1;
    });
    expect(started).toBe(1);
  });

  it('spread a burst over several turns of the loop, in order', async () => {
    const turns = createTickGroups();
    const started: number[] = [];
    for (let number = 0; number < 1_000; number += 1) turns.start(() => started.push(number));
    const inFirstTurn = started.length;
    expect(inFirstTurn).toBeLessThan(1_000);
    await turn();
    expect(started.length).toBeGreaterThan(inFirstTurn);
    while (started.length < 1_000) await turn();
    expect(started).toEqual(Array.from({ length: 1_000 }, (_, number) => number));
  });
});
