import { describe, expect, it } from 'vitest';
import { createBundlePassword, resolveBundlePassword } from './bundle-password.ts';

const open = async (sealed: string) => `opened ${sealed}`;

describe('the password of a bundle', () => {
  it('is opened when the order brings one', async () => {
    expect(await resolveBundlePassword({ sealedPassword: 'x', passwordOrigin: 'PARTNER' }, open)).toBe(
      'opened x',
    );
  });

  it('is made here when the order says so', async () => {
    const password = await resolveBundlePassword({ sealedPassword: null, passwordOrigin: 'SERVICE' }, open);
    expect(password).toMatch(/^[A-HJ-NP-Za-km-z2-9]{20}$/);
  });

  it.each(['PARTNER', 'HOLDER'] as const)('of %s is never invented', async (passwordOrigin) => {
    await expect(resolveBundlePassword({ sealedPassword: null, passwordOrigin }, open)).rejects.toThrow(
      'P12_PACKAGING_FAILED',
    );
  });

  it('is another one each time, of all the letters', () => {
    const made = Array.from({ length: 200 }, createBundlePassword);
    expect(new Set(made).size).toBe(200);
    expect(new Set(made.join('')).size).toBe(57);
  });
});
