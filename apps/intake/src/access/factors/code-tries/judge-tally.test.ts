import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { expect, it } from 'vitest';
import { type CodeTally, countTry, forgiveTry, unlockTally } from './judge-tally.ts';

const none: CodeTally = { inRow: 0, wrongAt: [], lockedAt: null };
const start = Date.parse('2026-11-28T10:00:00.000Z');
const at = (ms: number) => new Date(start + ms);

function counted(tally: CodeTally, now: Date): CodeTally {
  const next = countTry(tally, now);
  if (next === undefined) throw new Error('the codes are locked');
  return next;
}
function wrongCodes(times: number, from: CodeTally = none, firstMs = 0): CodeTally {
  let tally = from;
  for (let n = 0; n < times; n += 1) tally = counted(tally, at(firstMs + n));
  return tally;
}

it('ten wrong codes in a row lock', () => {
  expect(wrongCodes(9).lockedAt).toBeNull();
  expect(wrongCodes(10)).toMatchObject({ inRow: 10, lockedAt: at(9) });
  expect(countTry(wrongCodes(10), at(2 * DAY_MS))).toBeUndefined();
});

it('a right code ends the row and keeps those of the day', () => {
  const tenth = at(9).toISOString();
  const forgiven = forgiveTry(wrongCodes(10), tenth);
  expect(forgiven).toMatchObject({ inRow: 0, lockedAt: null });
  expect(forgiven.wrongAt).toHaveLength(9);
  expect(forgiven.wrongAt).not.toContain(tenth);
});

it('a right code that was counted at the time of a wrong one takes back one of them', () => {
  const twice = counted(counted(none, at(0)), at(0));
  expect(forgiveTry(twice, at(0).toISOString()).wrongAt).toEqual([at(0).toISOString()]);
});

it('thirty within a day lock, and those of the day before count no more', () => {
  let tally = none;
  for (let row = 0; row < 3; row += 1) tally = unlockTally(wrongCodes(9, tally, row * 60_000));
  expect(wrongCodes(2, tally, 240_000).lockedAt).toBeNull();
  expect(wrongCodes(3, tally, 240_000).lockedAt).not.toBeNull();
  const nextDay = wrongCodes(9, tally, DAY_MS + 240_000);
  expect(nextDay.lockedAt).toBeNull();
  expect(nextDay.wrongAt).toHaveLength(9);
});

it('an unlocked operator has one wrong code left while those of the day are too many', () => {
  let tally = none;
  for (let row = 0; row < 3; row += 1) tally = unlockTally(wrongCodes(10, tally, row * 60_000));
  const again = counted(tally, at(240_000));
  expect(again.lockedAt).toEqual(at(240_000));
  expect(again.wrongAt).toHaveLength(30);
});
