import { describe, expect, it } from 'vitest';
import { createLanes } from './lanes.ts';

function setUp(perDestination: number) {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const lanes = createLanes<string>({
    perDestination,
    start: (item) => {
      started.push(item);
      return new Promise((resolve) => ends.set(item, resolve));
    },
  });
  const end = async (item: string) => {
    ends.get(item)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { lanes, started, end };
}

describe('createLanes', () => {
  it('starts what there is room for and the rest in order', async () => {
    const { lanes, started, end } = setUp(2);
    for (const item of ['1', '2', '3', '4']) lanes.enter('a', item);
    expect(started).toEqual(['1', '2']);
    await end('2');
    await end('1');
    expect(started).toEqual(['1', '2', '3', '4']);
  });

  it('keeps lanes apart', () => {
    const { lanes, started } = setUp(1);
    lanes.enter('a', '1');
    lanes.enter('a', '2');
    lanes.enter('b', '3');
    expect(started).toEqual(['1', '3']);
  });

  it('opens a lane anew after it was empty', async () => {
    const { lanes, started, end } = setUp(1);
    lanes.enter('a', '1');
    await end('1');
    lanes.enter('a', '2');
    expect(started).toEqual(['1', '2']);
  });

  it('gives back what has not started', async () => {
    const { lanes, started, end } = setUp(1);
    for (const item of ['1', '2', '3']) lanes.enter('a', item);
    expect(lanes.clear()).toEqual(['2', '3']);
    await end('1');
    expect(started).toEqual(['1']);
  });
});
