import { createHash } from 'node:crypto';
import { canonicalJson } from '@rubrica/contracts/shared/canonical-json';
import type { AuditTable } from '../log/audit-table.ts';

/** Version of the canonical form of new rows. */
export const canonicalVersion = 1;

/**
 * Values of a row, in the order of the table's columns. Text is unchanged; integers, UUIDs and JSON are as PostgreSQL
 * prints them; instants are in microseconds since 1970 UTC; null stands for NULL.
 */
export type RowValues = readonly (string | null)[];

const none = Buffer.from([0xff, 0xff, 0xff, 0xff]);

/**
 * Serialises a row, version 1. Every part states its length, so that no two rows have the same bytes:
 *
 *     row   = 0x01 field(service "." table) field(sequence) uint32(number of columns) { field(name) field(value) }
 *     field = uint32(length in bytes) UTF-8, or 0xFFFFFFFF for NULL; all uint32 big-endian
 *
 * Service and table are included so that a row cannot move to another chain, and the sequence so that it cannot move to
 * another position.
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

/** Computes SHA-256 over the hash of the previous row and the row's bytes. */
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
