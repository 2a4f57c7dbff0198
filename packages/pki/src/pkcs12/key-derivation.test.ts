import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { pkcs12Kdf, purposes } from './key-derivation.ts';
import { passwordForms } from './password.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex').toUpperCase();

describe('PKCS#12 key derivation', () => {
  const { bmp: smeg } = passwordForms('smeg');
  const { bmp: queeg } = passwordForms('queeg');

  // Known answers that Bouncy Castle and OpenSSL are tested with as well.
  it.each([
    [smeg, '0A58CF64530D823F', 1, purposes.key, 24, '8AAAE6297B6CB04642AB5B077851284EB7128F1A2A7FBCA3'],
    [smeg, '0A58CF64530D823F', 1, purposes.iv, 8, '79993DFE048D3B76'],
    [queeg, '05DEC959ACFF72F7', 1000, purposes.key, 24, 'ED2034E36328830FF09DF1E1A07DD357185DAC0D4F9EB3D4'],
    [queeg, '05DEC959ACFF72F7', 1000, purposes.iv, 8, '11DEDAD7758D4860'],
  ] as const)(
    'gives the known octets (%#)',
    async (password, salt, iterations, purpose, length, expected) => {
      const derived = await pkcs12Kdf({
        password,
        salt: Buffer.from(salt, 'hex'),
        iterations,
        purpose,
        length,
        digest: 'sha1',
      });
      expect(hex(derived)).toBe(expected);
    },
  );

  it.each(['sha1', 'sha256'] as const)(
    'with %s gives the same octets over many turns, and lets others have them',
    async (digest) => {
      const input = { password: smeg, salt: Buffer.from('0A58CF64530D823F', 'hex'), iterations: 100_000 };
      let turns = 0;
      let over = false;
      const count = () => {
        turns += 1;
        if (!over) setImmediate(count);
      };
      setImmediate(count);
      const length = digest === 'sha1' ? 20 : 32;
      const derived = await pkcs12Kdf({ ...input, purpose: purposes.mac, length, digest });
      over = true;
      expect(derived).toEqual(inOnePiece({ ...input, digest }));
      expect(turns).toBeGreaterThan(90);
    },
  );
});

/** RFC 7292 Appendix B.2 for a key of one digest, by native calls alone and without a pause. */
function inOnePiece(input: {
  password: Uint8Array;
  salt: Uint8Array;
  iterations: number;
  digest: string;
}): Buffer {
  const { password, salt, iterations, digest } = input;
  const filled = (bytes: Uint8Array) => Buffer.alloc(Math.ceil(bytes.length / 64) * 64, bytes);
  let hashed = Buffer.concat([Buffer.alloc(64, purposes.mac), filled(salt), filled(password)]);
  for (let round = 0; round < iterations; round++) hashed = createHash(digest).update(hashed).digest();
  return hashed;
}

describe('forms of a password', () => {
  it('are UTF-16 with a closing zero for the MAC and UTF-8 without for PBES2', () => {
    const { bmp, utf8 } = passwordForms('ñ €');
    expect(hex(bmp)).toBe('00F1002020AC0000');
    expect(hex(utf8)).toBe('C3B120E282AC');
  });

  it('keep decomposed letters and outer spaces as they were typed', () => {
    expect(hex(passwordForms(' n\u0303 ').utf8)).toBe('206ECC8320');
  });
});
