import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasCloseFactors, hasRocaMark, isOnP256, smallFactor } from './weak-keys.ts';

const modulus = () => {
  const { n = '' } = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' });
  return BigInt(`0x${Buffer.from(n, 'base64url').toString('hex')}`);
};

describe('a sound RSA key', () => {
  it('has none of the weaknesses', () => {
    const n = modulus();
    expect([smallFactor(n), hasRocaMark(n), hasCloseFactors(n)]).toEqual([undefined, false, false]);
  });
});

describe('factors', () => {
  const numbers = fc.bigInt({ min: 2n ** 200n, max: 2n ** 300n });

  it('below 752 are found, the smallest first, and none from 752 on', () => {
    expect(smallFactor(751n * 757n)).toBe(751);
    expect(smallFactor(757n * 761n)).toBeUndefined();
    fc.assert(
      fc.property(numbers, fc.constantFrom(2n, 3n, 97n, 751n), (number, factor) => {
        const found = smallFactor(number * factor);
        return found !== undefined && BigInt(found) <= factor && (number * factor) % BigInt(found) === 0n;
      }),
    );
  });

  it('that are close are found, and that are far apart are not', () => {
    fc.assert(
      fc.property(numbers, fc.bigInt({ min: 0n, max: 2n ** 90n }), (p, difference) =>
        hasCloseFactors((2n * p + 1n) * (2n * (p + difference) + 1n)),
      ),
    );
    expect(hasCloseFactors((2n ** 521n - 1n) * (2n ** 607n - 1n))).toBe(false);
  });
});

describe('the mark of ROCA', () => {
  it('is on every power of 65537, and not on a sound key', () => {
    expect([1n, 5n, 60n].map((exponent) => hasRocaMark(65537n ** exponent))).toEqual([true, true, true]);
    expect(hasRocaMark(65537n ** 5n + 2n)).toBe(false);
  });
});

describe('a point', () => {
  it('of a P-256 key lies on the curve, and one of another curve or beyond the field does not', () => {
    const pointOf = (namedCurve: string) =>
      generateKeyPairSync('ec', { namedCurve })
        .publicKey.export({ format: 'der', type: 'spki' })
        .subarray(-65);
    expect(isOnP256(pointOf('P-256'))).toBe(true);
    expect(isOnP256(pointOf('secp256k1'))).toBe(false);
    expect(isOnP256(Buffer.concat([Uint8Array.of(4), Buffer.alloc(64, 0xff)]))).toBe(false);
  });
});
