import { quoteIdentifier } from '@rubrica/database/connection';
import { heldLockSql } from '@rubrica/database/lock';
import type { AuditTable } from '../log/audit-table.ts';
import { canonicalVersion } from './canonical-row.ts';
import { rowColumns } from './chained-row.ts';

/** Position and hash. No alias equals a column's name: ORDER BY would use the alias, and sort its text. */
export interface PositionRow {
  readonly place: string;
  readonly hash_hex: string;
}
export interface CheckpointRow extends PositionRow {
  readonly age_seconds: number;
  readonly jws: string;
}

export type ChainerSql = ReturnType<typeof chainerSql>;

/** Statements of the chainer, prepared once per session. */
export function chainerSql(table: AuditTable) {
  const name = quoteIdentifier(table.name);
  const id = quoteIdentifier(table.id);
  const startColumns = [...Object.keys(table.chainStart), 'entry_id', 'mac'];
  const end = `select chain_sequence, hash from ${name} where chain_sequence is not null
    order by chain_sequence desc limit 1`;
  return {
    /**
     * Inserts the entry that starts a chain and returns the row like the statements below. Parameters: its values, id
     * and MAC.
     */
    insertStart: {
      name: 'insertStart',
      text: `insert into ${name} (${startColumns.map(quoteIdentifier).join(', ')})
        values (${startColumns.map((_, index) => `$${index + 1}`).join(', ')})
        returning ${rowColumns(table)}`,
    },
    /**
     * Reads rows without a position, in the order of insertion. A condition "id greater than the last" is wrong: ids
     * are assigned before commits, so a lower one may appear later. Parameter: row limit.
     */
    readUnplaced: {
      name: 'readUnplaced',
      text: `select ${rowColumns(table)} from ${name} where chain_sequence is null order by ${id} limit $1`,
    },
    /** Parameters: sequence. */
    readPlace: {
      name: 'readPlace',
      text: `select chain_sequence::text as place, encode(hash, 'hex') as hash_hex from ${name}
        where chain_sequence = $1`,
    },
    readEnd: {
      name: 'readEnd',
      text: `select chain_sequence::text as place, encode(hash, 'hex') as hash_hex from (${end}) as last`,
    },
    /**
     * Assigns positions to rows, provided that the lock is held and the chain still ends as expected. Parameters: ids,
     * sequences, previous hashes and hashes in hex, sequence and hash of the end, name and fence of the lock.
     */
    place: {
      name: 'place',
      text: `
        with ${heldLockSql({ name: 7, fence: 8 })}
        update ${name} set chain_sequence = given.sequence, chain_version = ${canonicalVersion},
          previous_hash = decode(given.previous_hash, 'hex'), hash = decode(given.hash, 'hex')
        from held_lock, unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[])
          as given(id, sequence, previous_hash, hash)
        where ${name}.${id} = given.id and chain_sequence is null
          and coalesce((select chain_sequence from (${end}) as last), 0) = $5::bigint
          and coalesce((select encode(hash, 'hex') from (${end}) as last), $6) = $6
        returning 1`,
    },
    /** Reads rows with a position. Parameters: position to start after, row limit. */
    readPlaced: {
      name: 'readPlaced',
      text: `select ${rowColumns(table)} from ${name}
        where chain_sequence > $1 order by chain_sequence limit $2`,
    },
    /** Reads checkpoints, newest first. Parameters: position and JWS to stop before; infinite at the start. */
    readCheckpoints: {
      name: 'readCheckpoints',
      text: `select sequence::text as place, encode(hash, 'hex') as hash_hex, jws,
          extract(epoch from clock_timestamp() - at)::float8 as age_seconds
        from audit_checkpoint where (sequence, jws) < ($1::bigint, $2::text)
        order by sequence desc, jws desc limit 50`,
    },
    /** Parameters: sequence, hash in hex, time, key id, JWS, name and fence of the lock. */
    insertCheckpoint: {
      name: 'insertCheckpoint',
      text: `with ${heldLockSql({ name: 6, fence: 7 })}
        insert into audit_checkpoint (sequence, hash, at, kid, jws)
        select $1::bigint, decode($2, 'hex'), $3::timestamptz, $4, $5 from held_lock returning 1`,
    },
  } as const;
}

/** Lock of the active chainer, in the schema of its table. */
export function chainerLock(schema: string) {
  return { name: 'audit chain', previous: `rubrica audit ${schema}` };
}
