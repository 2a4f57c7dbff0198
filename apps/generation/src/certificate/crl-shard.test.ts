import { describe, expect, it } from 'vitest';
import { formatCrlName, parseCrlName, selectCrlShard } from './crl-shard.ts';

const serial = (tail: number) => Uint8Array.from([0x4a, 0, 0, 0, 0, tail >> 8, tail & 0xff]);

describe('the shard of a certificate', () => {
  it('is 0 while there is one CRL', () => {
    expect([0, 1, 65_535].map((tail) => selectCrlShard(serial(tail), 1))).toEqual([0, 0, 0]);
  });

  it('is one of 1 to the number of shards, each as often as the others', () => {
    const counts = new Map<number, number>();
    for (let tail = 0; tail < 4_000; tail++) {
      const shard = selectCrlShard(serial(tail), 4);
      counts.set(shard, (counts.get(shard) ?? 0) + 1);
    }
    expect(Object.fromEntries(counts)).toEqual({ 1: 1_000, 2: 1_000, 3: 1_000, 4: 1_000 });
  });
});

describe('the name of a CRL', () => {
  it.each([
    ['issuing', 0, false, 'issuing'],
    ['issuing', 2, false, 'issuing-s2'],
    ['issuing-2', 0, false, 'issuing-2'],
    ['issuing-2', 12, false, 'issuing-2-s12'],
    ['issuing-2', 0, true, 'issuing-2-delta'],
  ])('of %s, shard %d, delta %s, is %s and is read back', (issuer, shard, isDelta, name) => {
    expect(formatCrlName({ issuer, shard, isDelta })).toBe(name);
    expect(parseCrlName(name)).toEqual({ issuer, shard, isDelta });
  });
});
