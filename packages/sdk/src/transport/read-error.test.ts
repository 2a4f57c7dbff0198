import { expect, it, test } from 'vitest';
import { readError, retryAfterMs } from './read-error.ts';

const at = Date.parse('2026-11-20T12:00:00Z');

test.each([
  ['5', 5_000],
  ['Fri, 20 Nov 2026 12:00:30 GMT', 30_000],
  ['Fri, 20 Nov 2026 11:59:00 GMT', 0],
  ['soon', undefined],
  ['-5', undefined],
  ['', undefined],
])('Retry-After "%s" is %s milliseconds', (header, expected) => {
  expect(retryAfterMs(header, at)).toBe(expected);
});

it('takes what is not the service’s own answer for what its status says', () => {
  const headers = new Headers({ date: 'Fri, 20 Nov 2026 12:00:00 GMT' });
  expect(readError({ status: 504, headers, body: undefined })).toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: 'the service answered 504',
    outcomeUnknown: true,
    answeredAtMs: at,
  });
  expect(readError({ status: 418, headers, body: { error: 'teapot' } })).toMatchObject({
    code: 'UNEXPECTED_ANSWER',
    outcomeUnknown: false,
  });
});
