import { quoteIdentifier } from '@rubrica/database/connection';
import { rowColumns } from '../chain/chained-row.ts';
import { type AuditTable, maxSequence } from '../log/audit-table.ts';

export interface Extent {
  readonly chain_end: string;
  readonly checkpoint_end: string;
}

export interface Remainder {
  readonly unchained: string;
  readonly stray_id: string | null;
}

const checkpointColumns = `sequence::text as place, encode(hash, 'hex') as hash_hex,
  trim_scale(extract(epoch from at))::text as at_seconds, kid, jws`;

/** Statements that only read, by keyset, so that memory and statements stay small for any number of rows. */
export function verifySql(table: AuditTable) {
  const name = quoteIdentifier(table.name);
  const id = quoteIdentifier(table.id);
  return {
    /** Ends of chain and checkpoints at one moment: rows chained later belong to the next verification. */
    extent: `select
        (select coalesce(max(chain_sequence), 0) from ${name}
          where chain_sequence <= ${maxSequence})::text as chain_end,
        (select coalesce(max(sequence), 0) from audit_checkpoint)::text as checkpoint_end`,
    /**
     * Reads a range of positions with both bounds. With one bound and a LIMIT PostgreSQL may sort the rest of the chain
     * each time, while it has no statistics. Parameters: position to start after, last position.
     */
    rows: `select ${rowColumns(table)} from ${name}
      where chain_sequence > $1 and chain_sequence <= $2 order by chain_sequence, ${id} limit 5000`,
    /** Parameters: position to start after, last position. */
    firstPlace: `select min(chain_sequence)::text as first from ${name}
      where chain_sequence > $1 and chain_sequence <= $2`,
    /** Parameter: position. */
    row: `select ${rowColumns(table)} from ${name} where chain_sequence = $1 order by ${id} limit 1`,
    /** Parameters: position and JWS to start after, last position. */
    checkpoints: `select ${checkpointColumns} from audit_checkpoint
      where (sequence, jws) > ($1::bigint, $2::text) and sequence <= $3 order by sequence, jws limit 1000`,
    /** Newest first. Parameters: position and JWS to stop before. */
    checkpointsBefore: `select ${checkpointColumns} from audit_checkpoint
      where (sequence, jws) < ($1::bigint, $2::text) order by sequence desc, jws desc limit 50`,
    unplaced: `select ${rowColumns(table)} from ${name}
      where chain_sequence is null order by ${id} limit 1000`,
    remainder: `select
        (select count(*) from ${name} where chain_sequence is null)::text as unchained,
        (select min(${id}) from ${name} where chain_sequence < 1 or chain_sequence > ${maxSequence}
          or (chain_sequence is null and num_nonnulls(chain_version, previous_hash, hash) > 0))::text as stray_id`,
  } as const;
}
