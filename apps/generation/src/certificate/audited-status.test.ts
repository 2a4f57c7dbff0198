import { describe, expect, it } from 'vitest';
import { type EntryStatus, foldStatus, type StatusEntry } from './audited-status.ts';

const at = '2026-11-28T10:00:00.400Z';
const second = new Date('2026-11-28T10:00:00Z');

interface Written {
  readonly sequence?: number;
  readonly version?: number;
  readonly detail?: unknown;
  readonly mac?: string;
  readonly unguarded?: boolean;
}

function entry(change: 'revoked' | 'held' | 'released', written: Written = {}): StatusEntry {
  const { sequence = 1, version, mac = 'right', unguarded = false } = written;
  const times = {
    revokedAt: change === 'revoked' ? second.toISOString() : null,
    heldAt: change === 'held' ? second.toISOString() : null,
  };
  const status: EntryStatus = {
    id: 'c',
    version: version ?? 0,
    issuer: 'issuing',
    crlShard: 0,
    mac,
    ...times,
  };
  const detail = written.detail ?? (version === undefined ? {} : { status });
  return {
    sequence,
    action: `certificate.${change}`,
    at,
    requestId: null,
    entry: { entry_id: null, mac: null, at, unguarded },
    detail: (change === 'revoked' && written.detail === undefined
      ? { ...(detail as object), reason: 'keyCompromise' }
      : detail) as StatusEntry['detail'],
  };
}

const fold = (entries: readonly StatusEntry[], guardedFrom: number | null = 1) =>
  foldStatus(entries, { guardedFrom, isProven: ({ detail }) => detail.status?.mac === 'right' });

describe('a revocation in the audit log', () => {
  it('counts with a MAC, and without one where none was needed, with its time and reason', () => {
    for (const written of [{ version: 2 }, { unguarded: true }])
      expect(fold([entry('revoked', written)])).toMatchObject({
        version: 2,
        revokedAt: second,
        revocationReason: 'keyCompromise',
        heldAt: null,
      });
  });

  it.each([
    ['revoked', 'without a MAC', entry('revoked', { sequence: 7 })],
    ['revoked', 'with a wrong MAC', entry('revoked', { sequence: 7, version: 2, mac: 'wrong' })],
    ['held', 'without a MAC', entry('held', { sequence: 7 })],
    ['held', 'with a wrong MAC', entry('held', { sequence: 7, version: 2, mac: 'wrong' })],
  ])('that is %s %s withdraws nothing, and is named', (_, __, forged) => {
    expect(fold([forged])).toMatchObject({
      ...{ version: 1, revokedAt: null, heldAt: null, changedAt: null },
      unproven: [expect.objectContaining({ sequence: 7 })],
    });
  });

  it('of a hold that is copied behind its release holds nothing', () => {
    const hold = entry('held', { version: 2 });
    const entries = [hold, entry('released', { version: 3 }), { ...hold, sequence: 7 }];
    expect(fold(entries)).toMatchObject({
      heldAt: null,
      unproven: [expect.objectContaining({ sequence: 7 })],
    });
  });

  it('is final, whatever comes after it', () => {
    const entries = [
      entry('held', { version: 2 }),
      entry('revoked', { version: 3 }),
      entry('released', { version: 4 }),
      entry('held', { version: 5 }),
      entry('revoked', { detail: { reason: 'superseded' }, unguarded: true }),
    ];
    expect(fold(entries)).toMatchObject({ version: 6, revocationReason: 'keyCompromise', heldAt: second });
  });

  it('has time and reason of the entry with a MAC, whatever was added before it', () => {
    const later = '2030-01-01T00:00:00Z';
    const forged = [
      { ...entry('held', { unguarded: true }), at: later },
      { ...entry('revoked', { detail: { reason: 'superseded' }, unguarded: true }), at: later },
    ];
    expect(fold([...forged, entry('revoked', { version: 2 })])).toMatchObject({
      revokedAt: second,
      revocationReason: 'keyCompromise',
      heldAt: null,
    });
  });

  it('has the hold of the entry with a MAC, whatever was added before it', () => {
    const forged = { ...entry('held', { unguarded: true }), at: '2030-01-01T00:00:00Z' };
    expect(fold([forged, entry('held', { version: 2 })])).toMatchObject({ heldAt: second });
  });

  it.each([null, 1, 'text', {}, { reason: 'removeFromCRL' }, { reason: 'x', status: 3 }])(
    'counts with %j as its detail',
    (detail) => {
      expect(
        fold([{ ...entry('revoked', { unguarded: true }), detail: detail as StatusEntry['detail'] }]),
      ).toMatchObject({
        revocationReason: 'unspecified',
      });
    },
  );

  it.each(['infinity', '294276-12-31T00:00:00Z', '0001-01-01T00:00:00Z'])('counts at %s too', (time) => {
    const { revokedAt } = fold([{ ...entry('revoked', { unguarded: true }), at: time }]);
    expect(revokedAt).toEqual(new Date('2000-01-01T00:00:00Z'));
  });
});

describe('a release in the audit log', () => {
  it('ends a hold by its MAC and a later version', () => {
    const entries = [entry('held', { version: 2 }), entry('released', { version: 3 })];
    expect(fold(entries)).toMatchObject({ version: 3, heldAt: null, unproven: [] });
  });

  it.each([
    ['without a MAC', entry('released', { sequence: 7 })],
    ['with a wrong MAC', entry('released', { sequence: 7, version: 5, mac: 'wrong' })],
    ['with the version of an earlier one', entry('released', { sequence: 7, version: 3 })],
  ])('counts for nothing %s', (_, forged) => {
    const before = [entry('held', { version: 2 }), entry('released', { version: 3 })];
    const { heldAt, unproven, version } = fold([...before, entry('held', { version: 4 }), forged]);
    expect({ heldAt, version, unproven }).toEqual({
      heldAt: second,
      version: 4,
      unproven: [expect.objectContaining({ sequence: 7 })],
    });
  });

  it('counts without a MAC where the log has it from before there were any', () => {
    const entries = [entry('held', { sequence: 3, unguarded: true }), entry('released', { sequence: 4 })];
    expect(fold(entries, 5)).toMatchObject({ version: 3, heldAt: null });
    expect(fold(entries, null)).toMatchObject({ version: 3, heldAt: null });
    expect(fold(entries, 4)).toMatchObject({ version: 2, heldAt: second });
  });
});
