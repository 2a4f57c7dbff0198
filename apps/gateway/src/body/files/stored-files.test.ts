import { afterEach, expect, test, vi } from 'vitest';
import { createStoredFiles } from './stored-files.ts';

afterEach(() => void vi.useRealTimers());

const by = (partnerId: string) => ({ caller: { kind: 'partner', partnerId } as never, ip: '192.0.2.1' });

const rateLimited = expect.objectContaining({ code: 'RATE_LIMITED' });

test('files of refused calls stay counted for an hour, and cost the others nothing', () => {
  vi.useFakeTimers();
  const files = createStoredFiles({ maxBytesPerCaller: 100 });
  const refused = files.open(by('a'));
  refused.add(60);
  refused.end(true);
  expect(() => files.open(by('a')).add(41)).toThrow(rateLimited);
  expect(() => files.open(by('b')).add(41)).not.toThrow();
  vi.advanceTimersByTime(54 * 60_000);
  expect(() => files.open(by('a')).add(41)).toThrow(rateLimited);
  vi.advanceTimersByTime(60_000);
  expect(() => files.open(by('a')).add(100)).not.toThrow();
});

test('files of calls that are under way count, and no longer once they were taken', () => {
  const files = createStoredFiles({ maxBytesPerCaller: 100 });
  const call = files.open(by('a'));
  call.add(100);
  expect(() => call.add(1)).toThrow(rateLimited);
  expect(() => files.open(by('a')).add(1)).toThrow(rateLimited);
  call.end(false);
  expect(() => files.open(by('a')).add(100)).not.toThrow();
});

test('what was refused is not counted, and a second end gives nothing back', () => {
  const files = createStoredFiles({ maxBytesPerCaller: 100 });
  const call = files.open(by('a'));
  call.add(60);
  expect(() => call.add(41)).toThrow(rateLimited);
  call.end(false);
  call.end(false);
  const next = files.open(by('a'));
  expect(() => next.add(100)).not.toThrow();
  expect(() => next.add(1)).toThrow(rateLimited);
});
