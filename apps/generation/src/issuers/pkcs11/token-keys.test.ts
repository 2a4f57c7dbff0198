import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ecdsaSignature } from './token-keys.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const raw = (r: string, s: string) => Buffer.from(r.padStart(64, '0') + s.padStart(64, '0'), 'hex');

describe('an ECDSA signature of a token', () => {
  it.each([
    ['small numbers', '01', '7f', '300602010102017f'],
    [
      'a first bit that would mean a negative number',
      '80',
      'ff',
      '30080202008002020 0ff'.replaceAll(' ', ''),
    ],
    ['zero', '00', '00', '3006020100020100'],
  ])('becomes DER with %s', (_, r, s, expected) => {
    expect(hex(ecdsaSignature(raw(r, s)))).toBe(expected);
  });

  it('verifies as DER, whatever its numbers', () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const data = Buffer.from('data');
    for (let round = 0; round < 300; round++) {
      const bare = sign('sha256', data, { key: privateKey, dsaEncoding: 'ieee-p1363' });
      expect(verify('sha256', data, publicKey, ecdsaSignature(bare))).toBe(true);
    }
  });
});
