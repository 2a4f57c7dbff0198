import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeRules, codesCountForMs, judge, lockedUntil, nextCodeAt, type SentCode } from './code-rules.ts';

const now = new Date('2026-11-21T09:00:00.000Z');
function ago(minutes: number) {
  return new Date(now.getTime() - minutes * 60_000);
}
function makeCode(overrides: Partial<SentCode> = {}): SentCode {
  const sentAt = overrides.sentAt ?? ago(1);
  return {
    id: 'one',
    purpose: 'claim',
    sentAt,
    expiresAt: new Date(sentAt.getTime() + codeRules.ttlMs),
    digest: 'ab',
    sealedKey: 'sealed',
    wrongTries: 0,
    usedAt: null,
    ...overrides,
  };
}
const options = { now, intervalSeconds: 20, purpose: 'claim' } as const;

describe('a code', () => {
  it.each([
    ['that is in hand may be tried', makeCode(), 'try'],
    ['for something else is none', makeCode({ purpose: 'download' }), 'expired'],
    ['that was used is none', makeCode({ digest: null, sealedKey: null, usedAt: now }), 'expired'],
    ['that ends now has ended', makeCode({ sentAt: ago(5) }), 'expired'],
    ['that was tried five times is spent', makeCode({ wrongTries: 5 }), 'exceeded'],
  ])('%s', (_, code, kind) => expect(judge([code], options).kind).toBe(kind));

  it('that was used makes nobody wait for the next', () => {
    expect(nextCodeAt([makeCode({ sentAt: now, usedAt: now })], options)).toEqual(now);
    expect(nextCodeAt([makeCode({ sentAt: now })], options).getTime() - now.getTime()).toBe(20_000);
  });
});

describe('the lock', () => {
  const histories = fc
    .array(
      fc.record({
        minutesAgo: fc.integer({ min: 0, max: 1500 }),
        wrongTries: fc.integer({ min: 0, max: 5 }),
      }),
      {
        maxLength: 40,
      },
    )
    .map((codes) =>
      codes
        .sort((one, other) => other.minutesAgo - one.minutesAgo)
        .map(({ minutesAgo, wrongTries }) => makeCode({ sentAt: ago(minutesAgo), wrongTries })),
    );
  const wrongAt = (codes: readonly SentCode[], at: Date) =>
    codes
      .filter(({ sentAt }) => sentAt.getTime() + codesCountForMs > at.getTime())
      .reduce((sum, { wrongTries }) => sum + wrongTries, 0);

  it('holds exactly as long as a day before it holds fifteen wrong tries', () => {
    fc.assert(
      fc.property(histories, (codes) => {
        const until = lockedUntil(codes, now);
        expect(until !== null).toBe(wrongAt(codes, now) >= codeRules.wrongTriesPerDay);
        if (until === null) return;
        expect(wrongAt(codes, until)).toBeLessThan(codeRules.wrongTriesPerDay);
        expect(wrongAt(codes, new Date(until.getTime() - 1))).toBeGreaterThanOrEqual(
          codeRules.wrongTriesPerDay,
        );
      }),
    );
  });
});
