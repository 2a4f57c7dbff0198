import { statuses } from '@rubrica/contracts/shared/enumerations';
import { describe, expect, it } from 'vitest';
import { isTerminal } from '../request/state-machine.ts';
import { planErasure } from './plan-erasure.ts';

const days = { issuedDays: 3653, unissuedDays: 90 };
const endedAt = new Date('2026-11-21T15:00:00.000Z');
function plan(status: (typeof statuses)[number], legalHoldAt: Date | null = null) {
  return planErasure({ id: 'r', status, endedAt, notAfter: endedAt, legalHoldAt }, days);
}

describe('an erasure', () => {
  it.each(statuses)('of a request in %s under legal hold takes nothing', (status) => {
    expect(plan(status, endedAt)).toMatchObject({
      level: null,
      answer: { refused: 'LEGAL_HOLD', erased: [] },
    });
  });

  it.each(statuses.filter((status) => !isTerminal(status)))('of one in %s takes nothing', (status) => {
    expect(plan(status)).toMatchObject({ level: null, answer: { refused: 'NOT_ENDED', erased: [] } });
  });

  it.each(statuses.filter((status) => isTerminal(status) && status !== 'GENERATED'))(
    'of one in %s takes all',
    (status) => expect(plan(status)).toMatchObject({ level: 'all', answer: { refused: null, kept: [] } }),
  );

  it('of an issued one takes secrets alone, and nothing is both taken and kept', () => {
    const { level, answer } = plan('GENERATED');
    expect(level).toBe('secrets');
    const kept = answer.kept.map(({ kind }) => kind);
    expect(kept).toEqual(['REQUEST_DATA', 'EVIDENCE', 'TERMS_ACCEPTANCE', 'CERTIFICATE']);
    expect(answer.erased.filter((kind) => kept.includes(kind))).toEqual([]);
  });
});
