import { expect, it } from 'vitest';
import { parseStat, readProcessorTime } from './processor-time.ts';

it('a process is read by its numbers, whatever its name is', () => {
  const text = `7 (a) S 1) S 4 ${Array.from({ length: 9 }, () => 0).join(' ')} 12 3 4 1 0`;
  expect(parseStat(text)).toEqual({ parent: 4, ownMs: 150, endedMs: 50 });
});

it('this process has used some, and a number that no process has none', async () => {
  expect((await readProcessorTime(process.pid))?.ownMs).toBeGreaterThan(0);
  expect(await readProcessorTime(2 ** 22 + 1)).toBeUndefined();
});
