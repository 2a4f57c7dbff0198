import { expect, test } from 'vitest';
import { createWorkScheduler } from './work-scheduler.ts';

function fakeLoop() {
  const due: (() => void)[] = [];
  return {
    turns: createWorkScheduler({ endOfTurn: (next) => void due.push(next) }),
    async turn() {
      for (const next of due.splice(0)) next();
      await Promise.resolve();
    },
    idle: () => due.length === 0,
  };
}

test('the first piece of work does not wait', () => {
  expect(fakeLoop().turns.of('a').take()).toBeUndefined();
});

test('one piece runs in each turn, first come, first served', async () => {
  const loop = fakeLoop();
  const ran: string[] = [];
  for (const name of ['a', 'b', 'c'])
    void (loop.turns.of('one').take() ?? Promise.resolve()).then(() => ran.push(name));
  await Promise.resolve();
  expect(ran).toEqual(['a']);
  await loop.turn();
  expect(ran).toEqual(['a', 'b']);
  await loop.turn();
  expect(ran).toEqual(['a', 'b', 'c']);
});

test('work of many pieces waits behind all others', async () => {
  const loop = fakeLoop();
  const ran: string[] = [];
  const work = async (name: string, pieces: number) => {
    for (let left = pieces; left > 0; left -= 1) {
      await loop.turns.of('one').take();
      ran.push(name);
    }
  };
  const all = Promise.all([work('a', 3), work('b', 2)]);
  while (!loop.idle()) await loop.turn();
  await all;
  expect(ran.join('')).toBe('ababa');
});

test('a caller with one piece waits behind one piece of another, however many that has', async () => {
  const loop = fakeLoop();
  const ran: string[] = [];
  const ask = (caller: string) =>
    (loop.turns.of(caller).take() ?? Promise.resolve()).then(() => ran.push(caller));
  const all = Promise.all(['a', 'a', 'a', 'a', 'b'].map(ask));
  while (!loop.idle()) await loop.turn();
  await all;
  expect(ran.join('')).toBe('aabaa');
});

test('once all is done the next piece does not wait', async () => {
  const loop = fakeLoop();
  loop.turns.of('a').take();
  await loop.turn();
  expect(loop.idle()).toBe(true);
  expect(loop.turns.of('a').take()).toBeUndefined();
});

test('a turn ends by its time, which begins when it is given', async () => {
  let now = 0;
  const due: (() => void)[] = [];
  const turns = createWorkScheduler({ endOfTurn: (next) => void due.push(next), nowMs: () => now });
  const [first, second] = [turns.of('a'), turns.of('b')];
  first.take();
  now = 1.9;
  expect(first.hasEnded()).toBe(false);
  now = 2;
  expect(first.hasEnded()).toBe(true);
  const taken = second.take();
  now = 10;
  due.pop()?.();
  await taken;
  expect(second.hasEnded()).toBe(false);
  now = 12;
  expect(second.hasEnded()).toBe(true);
});
