import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createOrderedAnswers } from './line-answers.ts';

function openAnswers() {
  let heldBytes = 0;
  const answers = createOrderedAnswers((bytes) => {
    heldBytes += bytes;
  });
  return { answers, heldBytes: () => heldBytes };
}
/** An answer that does not compress. */
const createNoise = () => randomBytes(20_000).toString('latin1');

test('unread answers are counted as they are held, compressed or not, until they are read', async () => {
  const { answers, heldBytes } = openAnswers();
  const sent = Array.from({ length: 20 }, createNoise);
  for (const one of sent) answers.next()(one);
  expect(heldBytes()).toBeGreaterThan(400_000);
  answers.end();
  expect(await text(answers.stream)).toBe(sent.join(''));
  expect(heldBytes()).toBe(0);
});

test('answers that compress take little', () => {
  const { answers, heldBytes } = openAnswers();
  for (let count = 0; count < 100; count += 1) answers.next()('similar '.repeat(2_500));
  expect(heldBytes()).toBeLessThan(100_000);
});

test('answers that wait for an earlier one are counted', () => {
  const { answers, heldBytes } = openAnswers();
  const setFirst = answers.next();
  for (let count = 0; count < 10; count += 1) answers.next()('similar '.repeat(2_500));
  expect(heldBytes()).toBe(200_000);
  setFirst('first');
  expect(heldBytes()).toBeLessThan(80_000);
});
