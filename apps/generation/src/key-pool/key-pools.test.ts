import type { KeyAlgorithm } from '@rubrica/pki';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createKeyPools, type KeyPools } from './key-pools.ts';

let made: KeyAlgorithm[];
let pools: KeyPools;

async function make(algorithm: KeyAlgorithm) {
  made.push(algorithm);
  return { spki: Buffer.from(algorithm), pkcs8: Buffer.alloc(2) };
}

beforeEach(() => {
  vi.useFakeTimers();
  made = [];
  pools = createKeyPools({
    size: 2,
    parallel: 2,
    make,
    makeAhead: make,
    onFault: () => undefined,
  });
});

afterEach(async () => {
  vi.useRealTimers();
  await pools.stop();
});

const quiet = () => vi.advanceTimersByTimeAsync(1_100);
const kindOf = async (algorithm: KeyAlgorithm) => Buffer.from((await pools.take(algorithm)).spki).toString();

describe('the key pools', () => {
  it('hand out the kind that is asked for', async () => {
    for (const kind of ['P_256', 'RSA_2048', 'RSA_3072', 'P_256'] as const)
      expect(await kindOf(kind)).toBe(kind);
  });

  it('make the default kind ahead from the start, and no other', async () => {
    pools.start();
    await quiet();
    expect(made).toEqual(['RSA_2048', 'RSA_2048']);
  });

  it('make RSA-3072 ahead once it was asked for, and P-256 never', async () => {
    pools.start();
    await quiet();
    expect(await kindOf('RSA_3072')).toBe('RSA_3072');
    expect(await kindOf('P_256')).toBe('P_256');
    await quiet();
    const count = (kind: KeyAlgorithm) => made.filter((one) => one === kind).length;
    expect([count('RSA_2048'), count('RSA_3072'), count('P_256')]).toEqual([2, 3, 1]);
  });
});
