import { describe, expect, it } from 'vitest';
import { createLanes } from './lanes.ts';

function setUp(perDestination: number) {
  const started: string[] = [];
  const lanes = createLanes<string>(perDestination);
  const start = (item: string | undefined) => {
    if (item !== undefined) started.push(item);
  };
  const enter = (destination: string, item: string) => start(lanes.enter(destination, item));
  const end = (destination: string) => start(lanes.leave(destination));
  return { lanes, started, enter, end };
}

describe('createLanes', () => {
  it('starts what there is room for and the rest in order', () => {
    const { started, enter, end } = setUp(2);
    for (const item of ['1', '2', '3', '4']) enter('a', item);
    expect(started).toEqual(['1', '2']);
    end('a');
    end('a');
    expect(started).toEqual(['1', '2', '3', '4']);
  });

  it('keeps lanes apart', () => {
    const { started, enter } = setUp(1);
    enter('a', '1');
    enter('a', '2');
    enter('b', '3');
    expect(started).toEqual(['1', '3']);
  });

  it('opens a lane anew after it was empty', () => {
    const { started, enter, end } = setUp(1);
    enter('a', '1');
    end('a');
    enter('a', '2');
    expect(started).toEqual(['1', '2']);
  });

  it('gives back what has not started', () => {
    const { lanes, started, enter, end } = setUp(1);
    for (const item of ['1', '2', '3']) enter('a', item);
    expect(lanes.clear()).toEqual(['2', '3']);
    end('a');
    expect(started).toEqual(['1']);
  });
});
