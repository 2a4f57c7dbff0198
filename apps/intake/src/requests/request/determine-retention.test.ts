import { type Status, statuses } from '@rubrica/contracts/shared/enumerations';
import { describe, expect, it } from 'vitest';
import { computeEvidenceDueAt, determineRetention, intakeKinds } from './determine-retention.ts';

const endedAt = new Date('2026-11-21T15:00:00.000Z');
const notAfter = new Date('2027-11-21T04:59:59.000Z');
const days = { issuedDays: 3653, unissuedDays: 90 };

const ended: readonly Status[] = ['REFUSED', 'CANCELLED', 'EXPIRED'];
const combinations = statuses.flatMap((status) =>
  [null, endedAt].map((legalHoldAt) => ({
    status,
    legalHoldAt,
    endedAt,
    notAfter: status === 'GENERATED' ? notAfter : null,
  })),
);

/** The table of the README once more, in the plainest words. */
function expected(subject: (typeof combinations)[number], kind: (typeof intakeKinds)[number]) {
  const { status, legalHoldAt } = subject;
  const isOpen = status !== 'GENERATED' && !ended.includes(status);
  const goesAtEnd = kind === 'PASSWORD';
  if (!isOpen && goesAtEnd) return { rule: 'AT_END', at: '2026-11-21T15:00:00.000Z' };
  if (legalHoldAt !== null) return { rule: 'LEGAL_HOLD', at: null };
  if (isOpen) return { rule: 'UNTIL_END', at: null };
  if (status === 'GENERATED') return { rule: 'AFTER_CERTIFICATE', at: '2037-11-21T04:59:59.000Z' };
  return { rule: 'AFTER_END', at: '2027-02-19T15:00:00.000Z' };
}

describe('the retention of a request', () => {
  it.each(combinations)('in $status, under hold since $legalHoldAt, follows the table', (subject) => {
    const found = determineRetention(subject, days);
    for (const kind of intakeKinds) {
      const { rule, at } = found[kind];
      expect({ rule, at: at?.toISOString() ?? null }, kind).toEqual(expected(subject, kind));
    }
  });

  it('counts from the issuance where the certificate is said to have ended before it', () => {
    const subject = { status: 'GENERATED', endedAt, notAfter: new Date('1990-01-02T00:00:00.000Z') } as const;
    expect(computeEvidenceDueAt(subject, days)).toEqual(new Date('2036-11-21T15:00:00.000Z'));
  });

  it('dates the evidence of every ended request and of no other', () => {
    for (const subject of combinations) {
      const isEnded = subject.status === 'GENERATED' || ended.includes(subject.status);
      expect(computeEvidenceDueAt(subject, days) !== null, subject.status).toBe(isEnded);
    }
  });
});
