import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rehashSha256 } from './sha256-rounds.ts';

const native = (digest: Uint8Array, rounds: number) => {
  let hashed: Uint8Array = digest;
  for (let round = 0; round < rounds; round++) hashed = createHash('sha256').update(hashed).digest();
  return Buffer.from(hashed).toString('hex');
};

describe('repeated SHA-256', () => {
  it('is what the native hash gives, for any digest and number of rounds', () => {
    const digests = fc.uint8Array({ minLength: 32, maxLength: 32 });
    fc.assert(
      fc.property(digests, fc.integer({ min: 0, max: 20 }), (digest, rounds) => {
        expect(rehashSha256(digest, rounds).toString('hex')).toBe(native(digest, rounds));
      }),
      { numRuns: 2_000 },
    );
  });

  it('is so over many rounds, and leaves its input alone', () => {
    for (const digest of [Buffer.alloc(32), Buffer.alloc(32, 0xff), Buffer.alloc(32, 0x80)]) {
      const before = digest.toString('hex');
      expect(rehashSha256(digest, 5_000).toString('hex')).toBe(native(digest, 5_000));
      expect(digest.toString('hex')).toBe(before);
    }
  });
});
