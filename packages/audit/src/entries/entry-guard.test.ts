import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { AuditTable } from '../log/audit-table.ts';
import { standardAuditLog } from '../log/standard-log.ts';
import { createEntryGuard } from './entry-guard.ts';

const mac = (data: string) => createHash('sha256').update(data).digest('hex');
const endedAtMs = Date.parse('2026-11-28T12:00:00Z');
const keys = {
  mac,
  isMacOfTime: (data: string, made: string, writtenAtMs: number) =>
    mac(data) === made && writtenAtMs <= endedAtMs,
};
const { table: standard } = standardAuditLog('terms');
const certificates: AuditTable = {
  ...{ service: 'generation', name: 'audit_entry', id: 'sequence', filledMembers: ['change'] },
  columns: [
    { name: 'sequence', kind: 'text' },
    { name: 'at', kind: 'instant' },
    { name: 'action', kind: 'text' },
    { name: 'actor', kind: 'text' },
    { name: 'request_id', kind: 'text' },
    { name: 'attempt', kind: 'text' },
    { name: 'serial', kind: 'text' },
    { name: 'detail', kind: 'json' },
  ],
  chainStart: {},
};
const written = {
  standard: { actor: 'a', action: 'b', target: 'c', reason: 'd', details: { n: 1, s: { b: 2, a: [null] } } },
  certificates: {
    ...{
      action: 'a',
      actor: 'b',
      request_id: '0190ABCD-0000-7000-8000-000000000001',
      attempt: 1,
      serial: '4A',
    },
    detail: '{"reason":"x"}',
  },
};
const at = '2026-11-28T11:00:00+00:00';

/** As the database gives it: identifiers in lower case, JSON parsed, columns that were left out null. */
function stored(table: AuditTable, columns: Readonly<Record<string, unknown>>) {
  const { entryId: entry_id, entryMac } = createEntryGuard({ table, keys }).protect(columns);
  const detail = typeof columns.detail === 'string' ? { detail: JSON.parse(columns.detail) } : {};
  const requestId =
    columns.request_id === undefined ? {} : { request_id: String(columns.request_id).toLowerCase() };
  return { ...columns, ...detail, ...requestId, entry_id, mac: entryMac, at };
}

describe.each([
  ['standard', standard, written.standard],
  ['certificates', certificates, written.certificates],
] as const)('the MAC of an entry of the %s log', (_, table, columns) => {
  const guard = createEntryGuard({ table, keys });
  const entry = stored(table, columns);

  it('holds for the entry as it is stored', () => {
    expect(guard.hasMac(entry)).toBe(true);
  });

  it.each([...Object.keys(columns), 'entry_id', 'mac'])('does not hold where %s is another', (name) => {
    for (const value of ['x', null, { detail: 'x' }, 7])
      expect([value, guard.hasMac({ ...entry, [name]: value })]).toEqual([value, false]);
  });

  it('does not hold in another log', () => {
    expect(createEntryGuard({ table: { ...table, service: 'intake' }, keys }).hasMac(entry)).toBe(false);
  });

  it('does not hold for an entry that is younger than the end of its key', () => {
    expect(guard.hasMac({ ...entry, at: '2026-11-28T12:00:01Z' })).toBe(false);
    expect(guard.hasMac({ ...entry, at: 'infinity' })).toBe(false);
  });
});

describe('the columns of an entry', () => {
  const guard = createEntryGuard({ table: certificates, keys });
  const entry = stored(certificates, written.certificates);

  it('may have members that the database fills, and no others', () => {
    expect(guard.hasMac({ ...entry, detail: { ...entry.detail, change: 5 } })).toBe(true);
    expect(guard.hasMac({ ...entry, detail: { ...entry.detail, changes: 5 } })).toBe(false);
  });

  it('are the same as text and as parsed, in whatever order their members come', () => {
    const { table } = standardAuditLog('terms');
    const one = stored(table, { ...written.standard, details: { b: [1.5e-7, 'á\u{1F600}'], a: {} } });
    const other = { ...one, details: '{"a": {}, "b": [0.00000015, "á😀"]}' };
    expect(createEntryGuard({ table, keys }).hasMac(other)).toBe(true);
  });

  it('have a lone surrogate as the database stores it', () => {
    const { table } = standardAuditLog('terms');
    const one = stored(table, { ...written.standard, reason: 'a\ud800' });
    expect(createEntryGuard({ table, keys }).hasMac({ ...one, reason: 'a\ufffd' })).toBe(true);
  });
});

it('an entry without a MAC counts where it needed none', () => {
  const { counts } = createEntryGuard({ table: standard, keys });
  const bare = { ...written.standard, entry_id: null, mac: null, at };
  expect([true, false].map((unguarded) => counts({ ...bare, unguarded }))).toEqual([true, false]);
});
