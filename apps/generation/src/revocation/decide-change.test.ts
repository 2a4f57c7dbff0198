import { describe, expect, it } from 'vitest';
import { type StatusFields, toCertificateStatus, toRevocation } from '../certificate/status-fields.ts';
import { decideChange, type StatusChange } from './decide-change.ts';

const day = (n: number) => new Date(Date.UTC(2026, 10, n));
const notAfter = day(28);
const good: StatusFields = { notAfter };
const held: StatusFields = { notAfter, heldAt: day(2) };
const revoked: StatusFields = { notAfter, revokedAt: day(3), revocationReason: 'superseded' };
const heldThenRevoked: StatusFields = { ...revoked, heldAt: day(2) };
const expired: StatusFields = { notAfter: day(1) };

const revoke: StatusChange = { kind: 'revoke', reason: 'keyCompromise' };
const hold: StatusChange = { kind: 'hold' };
const release: StatusChange = { kind: 'release' };

const outcome = (before: StatusFields, change: StatusChange) => {
  const decision = decideChange(before, change, day(5));
  return decision.ok ? (toRevocation(decision.standing) ?? 'good') : decision.code;
};

describe('a change of status', () => {
  it.each([
    ['good', good, revoke, { at: day(5), reason: 'keyCompromise' }],
    ['good', good, hold, { at: day(5), reason: 'certificateHold' }],
    ['good', good, release, 'REQUEST_STATE_NOT_ALLOWED'],
    ['held', held, hold, 'REQUEST_STATE_NOT_ALLOWED'],
    ['held', held, release, 'good'],
    ['held', held, revoke, { at: day(2), reason: 'keyCompromise' }],
    ['revoked', revoked, revoke, 'CERTIFICATE_ALREADY_REVOKED'],
    ['revoked', revoked, hold, 'CERTIFICATE_ALREADY_REVOKED'],
    ['revoked', heldThenRevoked, release, 'CERTIFICATE_ALREADY_REVOKED'],
    ['expired', expired, revoke, 'REQUEST_STATE_NOT_ALLOWED'],
  ])('of a certificate that is %s (%o by %o) ends as it should', (_, before, change, expected) => {
    expect(outcome(before, change)).toEqual(expected);
  });
});

describe('the status', () => {
  it.each([
    [good, 'VALID'],
    [expired, 'EXPIRED'],
    [held, 'REVOKED'],
    [revoked, 'REVOKED'],
    [{ ...revoked, notAfter: day(4) }, 'REVOKED'],
  ] as const)('of %o is %s', (standing, expected) => {
    expect(toCertificateStatus(standing, day(5))).toBe(expected);
  });
});
