import { quoteIdentifier } from '@rubrica/database/connection';
import type { StoredEntry } from '@rubrica/database/entries';
import { unguardedSql } from '../entries/stored-entry-sql.ts';
import type { AuditTable } from '../log/audit-table.ts';
import { canonicalRow, canonicalVersion, hashRow, type RowValues } from './canonical-row.ts';

/** Row as the statements below return it: columns `value_0`, `value_1`, … and those of the chain. */
export interface RawAuditRow {
  readonly own_id: string;
  readonly place: string | null;
  readonly version: number | null;
  readonly previous_hex: string | null;
  readonly hash_hex: string | null;
  readonly entry_id: string | null;
  readonly entry_mac: string | null;
  readonly entry_at: string;
  readonly is_unguarded: boolean;
  readonly [value: `value_${number}`]: string | null;
}

export interface ChainedRow {
  readonly id: string;
  readonly sequence: number;
  readonly version: number;
  readonly previousHash: Buffer;
  readonly hash: Buffer;
  readonly values: RowValues;
}

/**
 * Lists the columns to select of a row. No alias equals a column's name: ORDER BY would use the alias, and sort its
 * text.
 */
export function rowColumns(table: AuditTable): string {
  const name = quoteIdentifier(table.name);
  const values = table.columns.map(({ name, kind }, index) => `${asText(name, kind)} as value_${index}`);
  return `${quoteIdentifier(table.id)}::text as own_id, chain_sequence::text as place, chain_version as version,
    encode(previous_hash, 'hex') as previous_hex, encode(hash, 'hex') as hash_hex, entry_id::text, mac as entry_mac, to_jsonb(at) #>> '{}' as entry_at,
    ${unguardedSql(table, name)} as is_unguarded, ${values.join(', ')}`;
}

function asText(name: string, kind: AuditTable['columns'][number]['kind']): string {
  const column = quoteIdentifier(name);
  if (kind !== 'instant') return `${column}::text`;
  // `extract` of a timestamptz is a numeric, exact to the microsecond; infinity has no number.
  return `case when isfinite(${column}) then (extract(epoch from ${column}) * 1000000)::bigint::text
    else ${column}::text end`;
}

export function toRowValues(table: AuditTable, row: RawAuditRow): RowValues {
  return table.columns.map((_, index) => row[`value_${index}`] ?? null);
}

/** Builds the entry of a row, the input of `EntryGuard.counts`. */
export function toStoredEntry(table: AuditTable, row: RawAuditRow): StoredEntry {
  const values = toRowValues(table, row);
  const columns = Object.fromEntries(table.columns.map(({ name }, index) => [name, values[index]]));
  const { entry_id, entry_mac: mac, entry_at: at, is_unguarded: unguarded } = row;
  return { ...columns, entry_id, mac, at, unguarded };
}

export function toChainedRow(table: AuditTable, row: RawAuditRow): ChainedRow {
  return {
    id: row.own_id,
    sequence: Number(row.place),
    version: row.version ?? 0,
    previousHash: Buffer.from(row.previous_hex ?? '', 'hex'),
    hash: Buffer.from(row.hash_hex ?? '', 'hex'),
    values: toRowValues(table, row),
  };
}

/** Tells whether a row's hash matches its content at this position or, for a search, at another one. */
export function isSound(table: AuditTable, row: ChainedRow, at = row.sequence): boolean {
  if (row.version !== canonicalVersion) return false;
  return hashRow(row.previousHash, canonicalRow(table, at, row.values)).equals(row.hash);
}
