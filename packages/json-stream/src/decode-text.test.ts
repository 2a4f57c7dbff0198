import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeText } from './decode-text.ts';

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
        ];
        for (const form of forms) expect(decodeText(form)).toEqual(buffer);
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
      expect(decodeText(text) !== undefined).toBe(isBase64);
    }),
    { numRuns: 3_000 },
  );
});

test.each(['data:text/plain,abcd', '===='])('%s cannot be decoded', (text) => {
  expect(decodeText(text)).toBeUndefined();
});
