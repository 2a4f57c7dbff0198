import { createByteBudget } from '@rubrica/process/bodies';
import { expect, test } from 'vitest';
import { reserveAnswerMemory } from './answer-memory.ts';

const MEBIBYTE = 1024 * 1024;
const unstopped = new AbortController().signal;

function openMemory(silenceMs = 60_000) {
  const allowance = createByteBudget({ maxBytes: 8 * MEBIBYTE, maxBytesPerCaller: 4 * MEBIBYTE }).of([
    { key: 'partner', share: 1 },
  ]);
  const countFree = () => {
    let free = 0;
    try {
      for (; ; free += 1) allowance.take(MEBIBYTE);
    } catch {
      allowance.give(free * MEBIBYTE);
    }
    return free;
  };
  return { memory: reserveAnswerMemory({ allowance, silenceMs }), countFree };
}

test('answers count in the caller’s memory once they exceed what was reserved, until they are read', () => {
  const { memory, countFree } = openMemory();
  expect(countFree()).toBe(3);
  memory.add(MEBIBYTE);
  expect(countFree()).toBe(3);
  memory.add(2 * MEBIBYTE);
  expect(countFree()).toBe(1);
  memory.add(-3 * MEBIBYTE);
  expect(countFree()).toBe(3);
  memory.free();
  expect(countFree()).toBe(4);
  memory.add(2 * MEBIBYTE);
  expect(countFree()).toBe(4);
});

test('a wait for memory ends when answers are read', async () => {
  const { memory } = openMemory();
  await memory.wait(unstopped);
  memory.add(5 * MEBIBYTE);
  let hasEnded = false;
  const waited = memory.wait(unstopped).then(() => (hasEnded = true));
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(hasEnded).toBe(false);
  memory.add(-2 * MEBIBYTE);
  await waited;
});

test('a wait fails where nobody reads, and ends with its batch', async () => {
  const { memory } = openMemory(300);
  memory.add(5 * MEBIBYTE);
  await expect(memory.wait(unstopped)).rejects.toThrow('not read');
  await memory.wait(AbortSignal.abort());
});
