import type { OwnSession } from '@rubrica/database/connection';
import { assertLockHeld, type SessionLock } from '@rubrica/database/lock';
import type { AuditTable } from '../log/audit-table.ts';
import { canonicalRow, hashRow } from './canonical-row.ts';
import { type RawAuditRow, toRowValues } from './chained-row.ts';
import type { ChainerSql } from './chainer-sql.ts';

/** End of the chain. */
export interface ChainPosition {
  readonly sequence: number;
  readonly hash: string;
}

/** Stored rows differ from what was chained or signed. Continuing would hide it. */
export class AuditChainBroken extends Error {
  override readonly name = 'AuditChainBroken';
}

/** Connection of the active chainer, its lock on that connection, and its table. */
export interface ChainSession {
  readonly session: OwnSession;
  readonly lock: SessionLock;
  readonly table: AuditTable;
}

/**
 * Assigns the positions after `end` to rows.
 * @returns the new end; undefined, with nothing written, if the chain now ends elsewhere or a row is missing
 * @throws FenceLost if another chainer has taken the lock
 */
export async function chainRows(
  { session, lock, table }: ChainSession,
  sql: ChainerSql,
  { rows, end }: { rows: readonly RawAuditRow[]; end: ChainPosition },
): Promise<ChainPosition | undefined> {
  const previous: string[] = [];
  const hashes: string[] = [];
  let hash: Buffer = Buffer.from(end.hash, 'hex');
  rows.forEach((row, index) => {
    previous.push(hash.toString('hex'));
    hash = hashRow(hash, canonicalRow(table, end.sequence + index + 1, toRowValues(table, row)));
    hashes.push(hash.toString('hex'));
  });
  const ids = rows.map((row) => row.own_id);
  const sequences = rows.map((_, index) => end.sequence + index + 1);
  const places = [ids, sequences, previous, hashes, end.sequence, end.hash];
  const placed = await session.query(sql.place, [...places, lock.name, lock.fence]);
  if (placed.length !== rows.length) {
    await assertLockHeld(session, lock);
    return undefined;
  }
  return { sequence: end.sequence + rows.length, hash: hash.toString('hex') };
}
