import { quoteIdentifier } from '../connection/identifiers.ts';
import type { AuditTable } from './audit-table.ts';
import { canonicalRow, canonicalVersion, hashRow, type RowValues } from './canonical-row.ts';

/** A row as the statements below give it: columns `value_0`, `value_1`, … beside the chain's. */
export interface RawAuditRow {
  readonly own_id: string;
  readonly place: string | null;
  readonly version: number | null;
  readonly previous_hex: string | null;
  readonly hash_hex: string | null;
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

/** What to select of a row. No alias is a column's name: ORDER BY would take the alias, and sort its text. */
export function rowColumns(table: AuditTable): string {
  const values = table.columns.map(({ name, kind }, index) => `${asText(name, kind)} as value_${index}`);
  return `${quoteIdentifier(table.id)}::text as own_id, chain_sequence::text as place, chain_version as version,
    encode(previous_hash, 'hex') as previous_hex, encode(hash, 'hex') as hash_hex, ${values.join(', ')}`;
}

function asText(name: string, kind: AuditTable['columns'][number]['kind']): string {
  const column = quoteIdentifier(name);
  if (kind !== 'instant') return `${column}::text`;
  // `extract` of a timestamptz is a numeric, exact to the microsecond; infinity has no number.
  return `case when isfinite(${column}) then (extract(epoch from ${column}) * 1000000)::bigint::text
    else ${column}::text end`;
}

export function valuesOf(table: AuditTable, row: RawAuditRow): RowValues {
  return table.columns.map((_, index) => row[`value_${index}`] ?? null);
}

export function toChainedRow(table: AuditTable, row: RawAuditRow): ChainedRow {
  return {
    id: row.own_id,
    sequence: Number(row.place),
    version: row.version ?? 0,
    previousHash: Buffer.from(row.previous_hex ?? '', 'hex'),
    hash: Buffer.from(row.hash_hex ?? '', 'hex'),
    values: valuesOf(table, row),
  };
}

/** Whether a row's hash is that of what it says, at this place or, to find out, at another one. */
export function isSound(table: AuditTable, row: ChainedRow, at = row.sequence): boolean {
  if (row.version !== canonicalVersion) return false;
  return hashRow(row.previousHash, canonicalRow(table, at, row.values)).equals(row.hash);
}
