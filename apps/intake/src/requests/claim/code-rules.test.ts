import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CodeHistory,
  codeRules,
  codesCountForMs,
  computeNextCodeAt,
  findLockEnd,
  isStillValid,
  judge,
  type LiveCode,
  type SentCode,
} from './code-rules.ts';

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
    tries: 0,
    usedAt: null,
    ...overrides,
  };
}
function history(codes: readonly SentCode[], rest: Partial<CodeHistory> = {}): CodeHistory {
  return { codes, triedAt: [], timelineSentAt: [], ...rest };
}
const options = { now, intervalSeconds: 20, purpose: 'claim' } as const;

describe('a code', () => {
  it.each([
    ['that is in hand may be tried', makeCode(), 'try'],
    ['for something else is none', makeCode({ purpose: 'download' }), 'expired'],
    ['that was used is none', makeCode({ digest: null, sealedKey: null, usedAt: now }), 'expired'],
    ['that ends now has ended', makeCode({ sentAt: ago(5) }), 'expired'],
    ['that was tried five times is spent', makeCode({ tries: 5 }), 'exceeded'],
  ])('%s', (_, code, kind) => expect(judge(history([code]), options).kind).toBe(kind));

  it('that was used makes nobody wait for the next', () => {
    expect(computeNextCodeAt(history([makeCode({ sentAt: now, usedAt: now })]), options)).toEqual(now);
    const unused = history([makeCode({ sentAt: now })]);
    expect(computeNextCodeAt(unused, options).getTime() - now.getTime()).toBe(20_000);
  });
});

describe('codes that the timeline has and no row', () => {
  const timelineSentAt = [50, 40, 30, 20, 10].map(ago);

  it('count within the hour', () => {
    expect(computeNextCodeAt(history([], { timelineSentAt }), options)).toEqual(ago(-10));
    expect(computeNextCodeAt(history([], { timelineSentAt: timelineSentAt.slice(1) }), options)).toEqual(now);
  });

  it('count up to the bound that the caller names', () => {
    const wider = { ...options, timelinePerHour: 6 };
    expect(computeNextCodeAt(history([], { timelineSentAt }), wider)).toEqual(now);
    expect(computeNextCodeAt(history([], { timelineSentAt: [ago(55), ...timelineSentAt] }), wider)).toEqual(
      ago(-5),
    );
  });
});

describe('a code that was right', () => {
  const tried = makeCode() as LiveCode;
  it.each([
    ['is live while it is there, whatever tries were counted', makeCode({ tries: 5 }), true],
    ['is over once its digest is gone', makeCode({ digest: null, sealedKey: null }), false],
    ['is over once another digest is there', makeCode({ digest: 'cd' }), false],
    ['is over at its end', makeCode({ expiresAt: now }), false],
    ['is no other code', makeCode({ id: 'other' }), false],
  ])('%s', (_, code, expected) => expect(isStillValid({ codes: [code] }, tried, now)).toBe(expected));
});

describe('the lock', () => {
  const histories = fc
    .array(fc.integer({ min: 0, max: 1500 }), { maxLength: 60 })
    .map((minutes) => minutes.sort((one, other) => other - one).map(ago));
  const triesAt = (triedAt: readonly Date[], at: Date) =>
    triedAt.filter((tried) => tried.getTime() + codesCountForMs > at.getTime()).length;

  it('holds exactly as long as a day before it holds fifteen tries', () => {
    fc.assert(
      fc.property(histories, (triedAt) => {
        const until = findLockEnd({ triedAt }, now);
        expect(until !== null).toBe(triesAt(triedAt, now) >= codeRules.triesPerDay);
        if (until === null) return;
        expect(triesAt(triedAt, until)).toBeLessThan(codeRules.triesPerDay);
        expect(triesAt(triedAt, new Date(until.getTime() - 1))).toBeGreaterThanOrEqual(codeRules.triesPerDay);
      }),
    );
  });
});
