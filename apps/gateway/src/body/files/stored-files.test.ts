import { afterEach, expect, test, vi } from 'vitest';
import { createStoredFiles } from './stored-files.ts';

afterEach(() => void vi.useRealTimers());

const by = (partnerId: string) => ({ caller: { kind: 'partner', partnerId } as never, ip: '192.0.2.1' });

function codeOf(work: () => void) {
  try {
    work();
  } catch (error) {
    return (error as { code: string }).code;
  }
  return 'taken';
}

test('files of refused calls stay counted for an hour, and cost the others nothing', () => {
  vi.useFakeTimers();
  const files = createStoredFiles({ maxBytesPerCaller: 100 });
  const refused = files.open(by('a'));
  refused.add(60);
  refused.end(true);
  expect(codeOf(() => files.open(by('a')).add(41))).toBe('RATE_LIMITED');
  expect(codeOf(() => files.open(by('b')).add(41))).toBe('taken');
  vi.advanceTimersByTime(54 * 60_000);
  expect(codeOf(() => files.open(by('a')).add(41))).toBe('RATE_LIMITED');
  vi.advanceTimersByTime(60_000);
  expect(codeOf(() => files.open(by('a')).add(100))).toBe('taken');
});

test('files of calls that are under way count, and no longer once they were taken', () => {
  const files = createStoredFiles({ maxBytesPerCaller: 100 });
  const call = files.open(by('a'));
  call.add(100);
  expect(codeOf(() => call.add(1))).toBe('RATE_LIMITED');
  expect(codeOf(() => files.open(by('a')).add(1))).toBe('RATE_LIMITED');
  call.end(false);
  expect(codeOf(() => files.open(by('a')).add(100))).toBe('taken');
});

test('what was refused is not counted, and a second end gives nothing back', () => {
  const files = createStoredFiles({ maxBytesPerCaller: 100 });
  const call = files.open(by('a'));
  call.add(60);
  expect(codeOf(() => call.add(41))).toBe('RATE_LIMITED');
  call.end(false);
  call.end(false);
  const next = files.open(by('a'));
  expect(codeOf(() => next.add(100))).toBe('taken');
  expect(codeOf(() => next.add(1))).toBe('RATE_LIMITED');
});
