import { describe, expect, it } from 'vitest';
import { hashPassword, verifyPassword } from './password-hash.ts';

describe('an operator password', () => {
  it('is verified against its own hash and no other', async () => {
    const hash = await hashPassword('correcta ñandú');
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await verifyPassword('correcta ñandú', hash)).toBe(true);
    expect(await verifyPassword('correcta ñandu', hash)).toBe(false);
  });

  it('never matches a hash that cannot be read', async () => {
    expect(await verifyPassword('', '')).toBe(false);
    expect(await verifyPassword('x', 'x')).toBe(false);
  });

  it('is salted: the same password twice gives two hashes', async () => {
    expect(await hashPassword('same')).not.toBe(await hashPassword('same'));
  });
});
