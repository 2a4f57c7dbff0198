import { expect, test } from 'vitest';
import { selectLanguage } from './context.ts';

test.each([
  [undefined, 'en'],
  ['es', 'es'],
  ['es-EC,es;q=0.9,en;q=0.8', 'es'],
  ['en-US,es;q=0.9', 'en'],
  ['es;q=0.2, en;q=0.7', 'en'],
  ['fr, es;q=0.1', 'es'],
  ['fr', 'en'],
  ['es;q=0', 'en'],
  ['es;q=junk', 'es'],
  ['*', 'en'],
  [';;,,q=1', 'en'],
] as const)('Accept-Language %s gives %s', (header, language) => {
  expect(selectLanguage(header)).toBe(language);
});
