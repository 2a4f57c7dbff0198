import { describe, expect, it } from 'vitest';
import { bundleDays } from './bundle-days.ts';

describe('a bundle', () => {
  it.each([
    ['PARTNER', true, false, 30, null, 30],
    ['PARTNER', false, false, 30, null, null],
    ['SERVICE', true, false, 30, null, 30],
    ['HOLDER', true, false, 30, 8, 30],
    ['HOLDER', false, false, 8, 8, null],
    ['SERVICE', true, true, 30, 7, 30],
    ['PARTNER', false, true, 7, 7, null],
  ] as const)(
    'with a password of the %s (webhook: %s, retrieved: %s) is kept for %s days, %s of them though it was delivered',
    (passwordOrigin, hasWebhook, isRetrieved, bundleRetentionDays, keepDays, deliverDays) => {
      const order = { passwordOrigin, hasWebhook, isRetrieved };
      expect(bundleDays(order, 30)).toEqual({ bundleRetentionDays, keepDays, deliverDays });
    },
  );

  it.each([
    ['HOLDER', false, 8],
    ['SERVICE', true, 7],
  ] as const)(
    'is kept as long as who else may fetch it (%s, %s), however short the setting is',
    (passwordOrigin, isRetrieved, days) => {
      expect(bundleDays({ passwordOrigin, isRetrieved, hasWebhook: true }, 2)).toEqual({
        bundleRetentionDays: days,
        keepDays: days,
        deliverDays: 2,
      });
    },
  );
});
