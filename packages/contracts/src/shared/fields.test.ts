import { expect, test } from 'vitest';
import { password } from './fields.ts';

const all = Array.from({ length: 0x1_0000 }, (_, code) => String.fromCharCode(code));

test('a password takes U+0020 to U+007E and no other character, at either end too', () => {
  const taken = all.filter(
    (character) =>
      password.safeParse(`${character}1234567`).success && password.safeParse(`1234567${character}`).success,
  );
  expect(taken).toEqual(all.slice(0x20, 0x7f));
});

test.each(['abcdefg', 'x'.repeat(65), 'abcdefg\n', '12345678😀', 'n\u0303andu corre', 'ｐａｓｓｗｏｒｄ'])(
  'a password is refused: %j',
  (refused) => {
    expect(password.safeParse(refused).success).toBe(false);
  },
);
