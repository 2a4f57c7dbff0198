import { describe, expect, it } from 'vitest';
import { fakeCryptoki } from '../../../test/support/fake-cryptoki.ts';
import { Pkcs11Error } from './return-values.ts';
import { createToken, type TokenSession } from './token.ts';

const options = { label: 'authority', pin: '1234', timeoutMs: 5_000 };
const removed = () => new Pkcs11Error('C_Sign', 50);
const handleOf = async ({ handle }: TokenSession) => handle;

describe('a token', () => {
  it('keeps a session for the next call, and opens no more than two', async () => {
    const cryptoki = fakeCryptoki({ pin: '1234' });
    const token = createToken(cryptoki, options);
    const first = await token.use(handleOf);
    expect(await token.use(handleOf)).toBe(first);
    await Promise.all(Array.from({ length: 20 }, () => token.use(handleOf)));
    expect(cryptoki.opened).toHaveLength(2);
    await token.close();
    expect(cryptoki.closed.sort()).toEqual([1n, 2n]);
  });

  it('is opened anew once when its session is lost, and is unavailable when that does not help', async () => {
    const cryptoki = fakeCryptoki({ pin: '1234' });
    const token = createToken(cryptoki, options);
    const tried: bigint[] = [];
    const healing = token.use(async ({ handle }) => {
      tried.push(handle);
      if (tried.length === 1) throw removed();
      return 'signed';
    });
    expect(await healing).toBe('signed');
    expect(tried).toEqual([1n, 2n]);
    const lost = token.use(async () => Promise.reject(removed()));
    await expect(lost).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', cause: removed() });
    expect(cryptoki.opened).toHaveLength(3);
  });

  it('is not asked again for what it refuses, and that session is not used again', async () => {
    const cryptoki = fakeCryptoki({ pin: '1234' });
    const token = createToken(cryptoki, options);
    const refusal = new Pkcs11Error('C_SignInit', 104);
    await expect(token.use(async () => Promise.reject(refusal))).rejects.toBe(refusal);
    expect(cryptoki.closed).toEqual([1n]);
    expect(await token.use(handleOf)).toBe(2n);
  });

  it('is given a wrong PIN once only: each further try would bring it nearer to being locked', async () => {
    const cryptoki = fakeCryptoki({ pin: 'another' });
    const token = createToken(cryptoki, options);
    for (let round = 0; round < 5; round++) {
      await expect(token.use(handleOf)).rejects.toThrow('CKR_PIN_INCORRECT');
    }
    expect(cryptoki.logins).toEqual(['1234']);
  });

  it('that hangs makes its callers wait no longer than the time-out, and takes no third thread', async () => {
    const cryptoki = fakeCryptoki({ pin: '1234' });
    const token = createToken(cryptoki, { ...options, timeoutMs: 20 });
    const hanging = Promise.withResolvers<void>();
    let begun = 0;
    const hang = () => {
      begun += 1;
      return hanging.promise;
    };
    const calls = await Promise.allSettled([1, 2, 3].map(() => token.use(hang)));
    for (const call of calls) {
      expect(call).toMatchObject({ status: 'rejected', reason: { code: 'SERVICE_UNAVAILABLE' } });
    }
    expect(begun).toBe(2);
    hanging.resolve();
    // The third has gone before its turn came.
    expect(await token.use(handleOf)).toBeLessThan(3n);
    expect(begun).toBe(2);
  });
});
