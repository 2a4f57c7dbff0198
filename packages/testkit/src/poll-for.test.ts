import { expect, test } from 'vitest';
import { pollFor } from './poll-for.ts';

test('gives the first answer that is something', async () => {
  const answers = [undefined, null, false, 0];
  expect(await pollFor(() => answers.shift(), { everyMs: 1 })).toBe(0);
});

test('fails at the deadline with what was waited for and the last error', async () => {
  const failing = pollFor(() => Promise.reject(new Error('refused')), {
    deadlineMs: 5,
    everyMs: 1,
    what: 'an answer',
  });
  await expect(failing).rejects.toThrow('not within 5 ms: an answer');
  await expect(failing).rejects.toMatchObject({ cause: new Error('refused') });
});
