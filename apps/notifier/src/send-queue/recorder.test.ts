import { expect, test, vi } from 'vitest';
import { createRecorder, type FinishedAttempt } from './recorder.ts';

const attempt = (id: string): FinishedAttempt => ({ id, fence: 1, durationMs: 0 });

test('a record that cannot be written keeps no other of its batch', async () => {
  const written: string[] = [];
  const recorder = createRecorder<FinishedAttempt>({
    async write(records) {
      if (records.some(({ id }) => id === 'bad')) throw new Error('out of range');
      written.push(...records.map(({ id }) => id));
      return records.map(() => true);
    },
    leaseMs: 1_000,
    logger: { warn: () => undefined },
  });
  for (const id of ['one', 'bad', 'two']) recorder.add(attempt(id));
  await vi.waitFor(() => expect(written.toSorted()).toEqual(['one', 'two']), { timeout: 5_000 });
  await recorder.settled();
  expect(written).toHaveLength(2);
});
