import { describe, expect, it } from 'vitest';
import { type EntryStatus, foldStatus, type StatusEntry } from './audited-status.ts';

const at = '2026-11-28T10:00:00.400Z';
const second = new Date('2026-11-28T10:00:00Z');

interface Written {
  readonly sequence?: number;
  readonly version?: number;
  readonly detail?: unknown;
  readonly mac?: string;
}

function entry(change: 'revoked' | 'held' | 'released', written: Written = {}): StatusEntry {
  const { sequence = 1, version, mac = 'right' } = written;
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
    detail: (change === 'revoked' && written.detail === undefined
      ? { ...(detail as object), reason: 'keyCompromise' }
      : detail) as StatusEntry['detail'],
  };
}

const fold = (entries: readonly StatusEntry[], guardedFrom: number | null = 1) =>
  foldStatus(entries, { guardedFrom, isProven: ({ detail }) => detail.status?.mac === 'right' });

describe('a revocation in the audit log', () => {
  it('counts with and without a MAC, with its time and reason', () => {
    for (const version of [2, undefined])
      expect(fold([entry('revoked', { ...(version && { version }) })])).toMatchObject({
        version: 2,
        revokedAt: second,
        revocationReason: 'keyCompromise',
        heldAt: null,
      });
  });

  it('is final, whatever comes after it', () => {
    const entries = [
      entry('held', { version: 2 }),
      entry('revoked', { version: 3 }),
      entry('released', { version: 4 }),
      entry('held', { version: 5 }),
      entry('revoked', { version: 6, detail: { reason: 'superseded' } }),
    ];
    expect(fold(entries)).toMatchObject({ version: 6, revocationReason: 'keyCompromise', heldAt: second });
  });

  it('has time and reason of the entry with a MAC, whatever was added before it', () => {
    const later = '2030-01-01T00:00:00Z';
    const forged = [
      { ...entry('held'), at: later },
      { ...entry('revoked', { detail: { reason: 'superseded' } }), at: later },
    ];
    expect(fold([...forged, entry('revoked', { version: 2 })])).toMatchObject({
      revokedAt: second,
      revocationReason: 'keyCompromise',
      heldAt: null,
    });
  });

  it('has the hold of the entry with a MAC, whatever was added before it', () => {
    const forged = { ...entry('held'), at: '2030-01-01T00:00:00Z' };
    expect(fold([forged, entry('held', { version: 2 })])).toMatchObject({ heldAt: second });
  });

  it.each([null, 1, 'text', {}, { reason: 'removeFromCRL' }, { reason: 'x', status: 3 }])(
    'counts with %j as its detail',
    (detail) => {
      expect(fold([{ ...entry('revoked'), detail: detail as StatusEntry['detail'] }])).toMatchObject({
        revocationReason: 'unspecified',
      });
    },
  );

  it.each(['infinity', '294276-12-31T00:00:00Z', '0001-01-01T00:00:00Z'])('counts at %s too', (time) => {
    const { revokedAt } = fold([{ ...entry('revoked'), at: time }]);
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
    const entries = [entry('held', { sequence: 3 }), entry('released', { sequence: 4 })];
    expect(fold(entries, 5)).toMatchObject({ version: 3, heldAt: null });
    expect(fold(entries, null)).toMatchObject({ version: 3, heldAt: null });
    expect(fold(entries, 4)).toMatchObject({ version: 2, heldAt: second });
  });
});
