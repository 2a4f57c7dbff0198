import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeFile } from './decode-file.ts';

const limit = 10_000;
const decoded = (value: unknown, maxBytes = limit) => {
  const file = decodeFile(value, maxBytes);
  return file.kind === 'bytes' ? Buffer.from(file.bytes) : file.kind;
};

test('any bytes come back from every form in which they may be sent', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 500 }),
      fc.constantFrom('image/png', ''),
      (bytes, type) => {
        const buffer = Buffer.from(bytes);
        const base64 = buffer.toString('base64');
        const forms = [
          base64,
          buffer.toString('base64url'),
          base64.replace(/(.{76})/g, '$1\r\n'),
          `data:${type};base64,${base64}`,
          [...bytes],
          [...new Int8Array(bytes)],
        ];
        for (const form of forms) expect(decoded(form)).toEqual(buffer);
      },
    ),
  );
});

test('a text is decoded only where all of it is base64', () => {
  const strict = /^(?:[A-Za-z0-9+/_-]{4})*(?:[A-Za-z0-9+/_-]{2}(?:==)?|[A-Za-z0-9+/_-]{3}=?)?$/;
  const character = fc.constantFrom(...'AZaz09+/_-=. \u00f1\u0000%');
  fc.assert(
    fc.property(fc.string({ unit: character, minLength: 1, maxLength: 12 }), (text) => {
      const packed = text.replace(/[\r\n\t ]+/g, '');
      const isBase64 = packed !== '' && strict.test(packed);
      expect(decodeFile(text, limit).kind === 'bytes').toBe(isBase64);
    }),
    { numRuns: 3_000 },
  );
});

test.each([
  ['an empty list', []],
  ['a number above 255', [256]],
  ['a number below -128', [-129]],
  ['a fraction', [0.5]],
  ['text among numbers', [1, '2']],
  ['a data: address that is not base64', 'data:text/plain,abcd'],
  ['padding alone', '===='],
])('%s cannot be decoded', (_what, value) => {
  expect(decoded(value)).toBe('undecodable');
});

test.each([[{ a: 1 }], [7], [true]])('%j is no file', (value) => {
  expect(decoded(value)).toBe('not-a-file');
});

test('the limit is on decoded bytes, in every form', () => {
  const exact = Buffer.alloc(9, 1);
  for (const form of [exact.toString('base64'), [...exact]]) {
    expect(decoded(form, 9)).toEqual(exact);
    expect(decoded(form, 8)).toBe('too-large');
  }
  expect(decoded('A'.repeat(1_000), 9)).toBe('too-large');
});
