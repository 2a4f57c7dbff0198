import { describe, expect, it } from 'vitest';
import { bundleDays } from './bundle-days.ts';

describe('a bundle', () => {
  it.each([
    ['PARTNER', true, 30, null],
    ['PARTNER', false, 30, null],
    ['SERVICE', true, 30, null],
    ['HOLDER', true, 30, 8],
    ['HOLDER', false, 8, 8],
  ] as const)(
    'with a password of the %s (webhook: %s) is kept for %s days, %s of them though it was delivered',
    (passwordOrigin, hasWebhook, bundleRetentionDays, holderDays) => {
      expect(bundleDays({ passwordOrigin, hasWebhook }, 30)).toEqual({ bundleRetentionDays, holderDays });
    },
  );

  it('is kept as long as its holder may fetch it, however short the setting is', () => {
    expect(bundleDays({ passwordOrigin: 'HOLDER', hasWebhook: true }, 2)).toEqual({
      bundleRetentionDays: 8,
      holderDays: 8,
    });
  });
});
