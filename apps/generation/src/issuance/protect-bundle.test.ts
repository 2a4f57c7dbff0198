import { describe, expect, it } from 'vitest';
import { createBundlePassword, resolveBundlePassword, selectIterations } from './protect-bundle.ts';

const opening = {
  requestId: 'request-1',
  keyring: { openText: async (sealed: string) => `opened ${sealed}` },
};

describe('the password of a bundle', () => {
  it('is opened when the order brings one', async () => {
    expect(await resolveBundlePassword({ sealedPassword: 'x', passwordOrigin: 'PARTNER' }, opening)).toBe(
      'opened x',
    );
  });

  it('is made here when the order says so', async () => {
    const password = await resolveBundlePassword(
      { sealedPassword: null, passwordOrigin: 'SERVICE' },
      opening,
    );
    expect(password).toMatch(/^[A-HJ-NP-Za-km-z2-9]{20}$/);
  });

  it.each(['PARTNER', 'HOLDER'] as const)('of %s is never invented', async (passwordOrigin) => {
    await expect(resolveBundlePassword({ sealedPassword: null, passwordOrigin }, opening)).rejects.toThrow(
      'P12_PACKAGING_FAILED',
    );
  });

  it('is another one each time, of all the letters', () => {
    const made = Array.from({ length: 200 }, createBundlePassword);
    expect(new Set(made).size).toBe(200);
    expect(new Set(made.join('')).size).toBe(57);
  });
});

const iterations = { service: 2_048, partner: 10_000, applicant: 100_000 };

describe('the rounds of a PKCS#12 file', () => {
  it.each([
    ['made here', null, 'SERVICE', 2_048],
    ["a partner's", 'sealed', 'PARTNER', 10_000],
    ["an applicant's", 'sealed', 'HOLDER', 100_000],
    ['of another, though the order says that it is ours', 'sealed', 'SERVICE', 10_000],
  ] as const)('whose password is %s', (_, sealedPassword, passwordOrigin, rounds) => {
    expect(selectIterations({ sealedPassword, passwordOrigin }, iterations)).toBe(rounds);
  });
});
