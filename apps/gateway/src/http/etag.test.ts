import { expect, test } from 'vitest';
import { matchesEtag } from './etag.ts';

test.each([
  ['"3"', true],
  ['W/"3"', true],
  ['"1", "3"', true],
  ['*', true],
  ['"30"', false],
  ['3', false],
  ['', false],
  [undefined, false],
])('If-None-Match %s against "3" is %s', (header, expected) => {
  expect(matchesEtag(header, '"3"')).toBe(expected);
});
