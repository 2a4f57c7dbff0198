import { describe, expect, it } from 'vitest';
import type { LeasedCrl } from './crl-ledger.ts';
import { createCrlSigner, sharedChangesMs } from './crl-signer.ts';

const leased: LeasedCrl = {
  issuer: 'issuing',
  shard: 0,
  fence: 1,
  number: 1,
  changes: 0,
  base: undefined,
  previousThisUpdate: null,
  now: new Date(0),
  leasedAt: new Date(0),
};
const quiet = { info: () => undefined, error: () => undefined };

/** A signer whose pauses end when the test says so, or their signal does. */
function watched(signNext: () => Promise<LeasedCrl | undefined>) {
  const pauses: { ms: number; end: () => void }[] = [];
  const signer = createCrlSigner({
    signNext,
    checkMs: 5_000,
    logger: quiet,
    pause: (ms, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve();
        signal.addEventListener('abort', () => resolve(), { once: true });
        pauses.push({ ms, end: resolve });
      }),
  });
  const paused = (count: number) => expect.poll(() => pauses.length).toBe(count);
  return { signer, pauses, paused };
}

describe('the CRL signer', () => {
  it('looks when it is woken, and not again at once after it has signed', async () => {
    const due: LeasedCrl[] = [];
    let looks = 0;
    const { signer, pauses, paused } = watched(async () => {
      looks++;
      return due.pop();
    });
    signer.start();
    await paused(1);
    expect([looks, pauses[0]?.ms]).toEqual([1, 5_000]);
    due.push(leased, leased);
    signer.wake();
    await paused(2);
    expect([looks, pauses[1]?.ms]).toEqual([4, sharedChangesMs]);
    // However often it is woken now, the next look waits for the calm, and is the last one then.
    due.push(leased);
    for (let i = 0; i < 50; i++) signer.wake();
    expect(looks).toBe(4);
    pauses[1]?.end();
    await paused(3);
    expect([looks, pauses[2]?.ms]).toEqual([6, sharedChangesMs]);
    await signer.stop();
  });

  it('goes on after a failure, with the next look', async () => {
    let looks = 0;
    const { signer, pauses, paused } = watched(async () => {
      looks++;
      if (looks === 1) throw new Error('the key is away');
      return undefined;
    });
    signer.start();
    await paused(1);
    pauses[0]?.end();
    await paused(2);
    expect(looks).toBe(2);
    await signer.stop();
  });
});
