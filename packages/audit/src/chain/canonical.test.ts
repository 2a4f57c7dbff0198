import { canonicalJson } from '@rubrica/contracts/shared/canonical-json';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AuditTable } from '../log/audit-table.ts';
import { canonicalRow, hashRow, type RowValues } from './canonical-row.ts';

const table: AuditTable = {
  service: 'intake',
  name: 'audit',
  id: 'id',
  columns: [
    { name: 'actor', kind: 'text' },
    { name: 'action', kind: 'text' },
    { name: 'details', kind: 'json' },
  ],
  chainStart: { actor: 'service:intake', action: 'audit.start' },
};

const text = fc.option(fc.string({ unit: 'binary', maxLength: 20 }).filter((value) => value.isWellFormed()));
const json = fc.option(fc.json({ maxDepth: 3 }));
const row = fc.tuple(text, text, json);
const place = fc.integer({ min: 1, max: 1_000_000 });

describe('canonical JSON', () => {
  it('has a text for what is nested deeper than a call stack is', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(canonicalJson(nested(60))).toBe(nested(60));
    for (const levels of [1_000, 15_000, 100_000]) expect(canonicalJson(nested(levels))).not.toBe('');
  });

  it('is the same whatever the order of members and the white space', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (written) => {
        const shuffle = (value: unknown): unknown => {
          if (Array.isArray(value)) return value.map(shuffle);
          if (typeof value !== 'object' || value === null) return value;
          const members = Object.entries(value).map(([name, member]) => [name, shuffle(member)]);
          return Object.fromEntries(members.toReversed());
        };
        const other = JSON.stringify(shuffle(JSON.parse(written)), undefined, 3);
        const once = canonicalJson(JSON.stringify(JSON.parse(written)));
        expect(canonicalJson(other)).toBe(once);
        expect(canonicalJson(once)).toBe(once);
        expect(JSON.parse(once)).toEqual(JSON.parse(written));
      }),
    );
  });

  it('sorts members by UTF-16 code units and escapes no more than RFC 8785 says', () => {
    expect(canonicalJson('{"\\u20ac":1,"\\r":2,"ö":3,"1":4,"😀":5,"\\ufb33":6}')).toBe(
      '{"\\r":2,"1":4,"ö":3,"€":1,"😀":5,"\ufb33":6}',
    );
    expect(canonicalJson('"\\u000f\\n\\u0041\\\\\\/"')).toBe('"\\u000f\\nA\\\\/"');
  });

  it('tells numbers apart that are the same double, and keeps a member called __proto__', () => {
    expect(canonicalJson('[12345678901234567890, 1.10, -0.5]')).toBe('[12345678901234567890,1.10,-0.5]');
    expect(canonicalJson('{"__proto__": {"a": 1}}')).toBe('{"__proto__":{"a":1}}');
  });
});

describe('the bytes of a row', () => {
  it('are those that the documentation spells out', () => {
    const bytes = canonicalRow({ ...table, columns: table.columns.slice(1) }, 7, ['ñ', null]);
    expect(bytes.toString('latin1')).toBe(
      [
        '\x01',
        '\x00\x00\x00\x0cintake.audit',
        '\x00\x00\x00\x017',
        '\x00\x00\x00\x02',
        '\x00\x00\x00\x06action\x00\x00\x00\x02\xc3\xb1',
        '\x00\x00\x00\x07details\xff\xff\xff\xff',
      ].join(''),
    );
  });

  it('differ whenever what is said, or the place, or the table differs', () => {
    const canonical = ([actor, action, details]: RowValues) =>
      JSON.stringify([
        actor,
        action,
        details === null || details === undefined ? null : canonicalJson(details),
      ]);
    fc.assert(
      fc.property(row, row, place, place, (one, other, here, there) => {
        const isSame = canonical(one) === canonical(other);
        const bytes = canonicalRow(table, here, one);
        expect(bytes.equals(canonicalRow(table, here, other))).toBe(isSame);
        expect(bytes.equals(canonicalRow(table, there, one))).toBe(here === there);
        expect(bytes.equals(canonicalRow({ ...table, service: 'terms' }, here, one))).toBe(false);
      }),
    );
  });

  it('do not take text for its absence, nor one column for two', () => {
    const bytes = (...values: RowValues) => canonicalRow(table, 1, values).toString('hex');
    expect(bytes('', null, null)).not.toBe(bytes(null, null, null));
    expect(bytes('ab', '', null)).not.toBe(bytes('a', 'b', null));
    expect(bytes(null, null, 'null')).not.toBe(bytes(null, null, null));
  });

  it('are chained by SHA-256 over the hash before', () => {
    const bytes = canonicalRow(table, 1, ['a', 'b', '{}']);
    expect(hashRow(Buffer.alloc(32), bytes)).not.toEqual(hashRow(Buffer.alloc(32, 1), bytes));
    expect(hashRow(Buffer.alloc(0), Buffer.from('abc')).toString('hex')).toMatch(/^ba7816bf8f01cfea/);
  });
});
