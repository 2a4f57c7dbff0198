import { createHash } from 'node:crypto';
import { canonicalJson } from '@rubrica/contracts/shared/canonical-json';
import type { AuditTable } from './audit-table.ts';

/** The version of the canonical form that new rows get. */
export const canonicalVersion = 1;

/**
 * What a row says, in the order of the table's columns: text as it is, integers and UUIDs as PostgreSQL prints
 * them, instants in microseconds since 1970 UTC, JSON as PostgreSQL prints it; null for NULL.
 */
export type RowValues = readonly (string | null)[];

const none = Buffer.from([0xff, 0xff, 0xff, 0xff]);

/**
 * The bytes of a row, version 1. Every piece says its length, so that no two rows have the same bytes:
 *
 *     row   = 0x01 field(service "." table) field(sequence) uint32(number of columns) { field(name) field(value) }
 *     field = uint32(length in bytes) UTF-8, or 0xFFFFFFFF for NULL; all uint32 big-endian
 *
 * Service and table stand inside so that a row cannot be carried over into another chain, the sequence so that it
 * cannot be given another place.
 */
export function canonicalRow(table: AuditTable, sequence: number, values: RowValues): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(table.columns.length);
  const parts = [
    Buffer.from([canonicalVersion]),
    ...field(`${table.service}.${table.name}`),
    ...field(String(sequence)),
    count,
  ];
  table.columns.forEach(({ name, kind }, index) => {
    const value = values[index] ?? null;
    parts.push(...field(name), ...field(kind === 'json' && value !== null ? canonicalJson(value) : value));
  });
  return Buffer.concat(parts);
}

/** SHA-256 over the hash of the row before and the row's bytes. */
export function hashRow(previousHash: Uint8Array, row: Uint8Array): Buffer {
  return createHash('sha256').update(previousHash).update(row).digest();
}

function field(text: string | null): Buffer[] {
  if (text === null) return [none];
  const bytes = Buffer.from(text, 'utf8');
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return [length, bytes];
}
