import { expect, test } from 'vitest';
import { extractReceiverExcerpt } from './answer-excerpt.ts';

const password = 'Clave "larga" & 1.~';
const bodyOf = (fields: object) => Buffer.from(JSON.stringify(fields));
const harmless = bodyOf({ message: 'no' });

test('an answer is kept as one line of at most 200 characters', () => {
  expect(extractReceiverExcerpt('{\n  "error":\t"signature is wrong"\u0000\n}', harmless)).toBe(
    '{ "error": "signature is wrong" }',
  );
  expect(extractReceiverExcerpt('¡no! '.repeat(100), harmless)).toHaveLength(200);
  expect(extractReceiverExcerpt(' \n', harmless)).toBeNull();
});

test('a file or a token that an answer repeats is cut out of it', () => {
  const file = Buffer.alloc(60, 3).toString('base64');
  expect(extractReceiverExcerpt(`bad file "${file}"!`, harmless)).toBe('bad file "…"!');
});

test.each([
  ['as it is', `bad password ${password}`],
  ['in JSON', JSON.stringify({ error: 'bad password', password })],
  ['in an address', `see /errors?password=${encodeURIComponent(password)}`],
  ['in a page', '<p>bad password Clave &quot;larga&quot; &amp; 1.~</p>'],
  ['cut', `bad password ${password.slice(0, 7)}…`],
])('nothing is kept of an answer that repeats the password, %s', (_how, answer) => {
  expect(extractReceiverExcerpt(answer, bodyOf({ password }))).toBeNull();
  expect(
    extractReceiverExcerpt(answer, bodyOf({ type: 'certificate.issued', data: { password } })),
  ).toBeNull();
});

test('an answer that only says that the password is bad is kept', () => {
  expect(extractReceiverExcerpt('the password is bad', bodyOf({ password }))).toBe('the password is bad');
});
