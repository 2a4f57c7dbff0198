import { describe, expect, it } from 'vitest';
import { maskEmail } from './recipients.ts';

describe('a masked e-mail', () => {
  it.each([
    ['jane@mail.com', 'j***@m***.com'],
    ['j@m.ec', 'j***@m***.ec'],
    ['ana.maria@correo.gob.ec', 'a***@c***.ec'],
  ])('of %s is %s', (email, masked) => expect(maskEmail(email)).toBe(masked));
});
