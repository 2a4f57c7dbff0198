import { crashpoint } from '@rubrica/process';
import type { Pacer } from '../relay/pacer.ts';
import type { RelaySession } from '../relay/relay-session.ts';
import { auditCrashPoints, genesis } from './audit-table.ts';
import { canonicalRow, hashRow } from './canonical-row.ts';
import { type RawAuditRow, valuesOf } from './chained-row.ts';
import type { ChainerOptions, ChainerTuning } from './chainer-options.ts';
import { type CheckpointRow, chainerSql, type PlaceRow } from './chainer-sql.ts';
import { readCheckpoint, signCheckpoint } from './checkpoint.ts';

/** Where the chain ends. */
export interface Place {
  readonly sequence: number;
  readonly hash: string;
}

/** What is stored is not what was placed or signed: to go on would hide it. */
export class AuditChainBroken extends Error {
  override readonly name = 'AuditChainBroken';
}

export interface ActiveChainerOptions extends ChainerOptions {
  readonly session: RelaySession;
  readonly pacer: Pacer;
  readonly tuning: ChainerTuning;
  readonly isStopping: () => boolean;
  /** What this copy placed last, in this session or an earlier one; it must still be there. */
  readonly remembered: Place | undefined;
  readonly remember: (place: Place) => void;
}

const start: Place = { sequence: 0, hash: genesis.toString('hex') };
function toPlace({ place, hash_hex }: PlaceRow): Place {
  return { sequence: Number(place), hash: hash_hex };
}

/**
 * Gives rows their places while the session lasts. Returns when asked to stop; throws when the session is lost.
 * @throws AuditChainBroken
 */
export async function chainWhileHeld(options: ActiveChainerOptions): Promise<void> {
  const { session, pacer, tuning, isStopping, metrics } = options;
  const sql = chainerSql(options.table);
  const checkpoints = await resumeCheckpoints(options, sql);
  const remembered = options.remembered;
  if (remembered !== undefined) await assertStands(options, sql, remembered);
  const [last] = await session.query<PlaceRow>(sql.readEnd);
  let end = last === undefined ? start : toPlace(last);
  metrics?.broken(false);
  while (!isStopping()) {
    const startedAt = performance.now();
    const rows = await session.query<RawAuditRow>(sql.readUnplaced, [tuning.batchRows]);
    if (rows.length > 0) {
      crashpoint(auditCrashPoints.afterRead);
      end = await placeRows(options, sql, { rows, end });
      options.remember(end);
      metrics?.placed({ sequence: end.sequence });
      crashpoint(auditCrashPoints.afterChain);
    }
    await checkpoints.whenDue(end);
    // With a backlog it works half of the time: those who insert come first.
    const isBehind = rows.length === tuning.batchRows;
    await pacer.turn(isBehind ? performance.now() - startedAt : tuning.pollMs);
  }
}

type Sql = ReturnType<typeof chainerSql>;

async function placeRows(
  { session, table }: ActiveChainerOptions,
  sql: Sql,
  { rows, end }: { rows: readonly RawAuditRow[]; end: Place },
): Promise<Place> {
  const previous: string[] = [];
  const hashes: string[] = [];
  let hash: Buffer = Buffer.from(end.hash, 'hex');
  rows.forEach((row, index) => {
    previous.push(hash.toString('hex'));
    hash = hashRow(hash, canonicalRow(table, end.sequence + index + 1, valuesOf(table, row)));
    hashes.push(hash.toString('hex'));
  });
  const ids = rows.map((row) => row.own_id);
  const sequences = rows.map((_, index) => end.sequence + index + 1);
  const placed = await session.query(sql.place, [ids, sequences, previous, hashes, end.sequence, end.hash]);
  if (placed.length !== rows.length) {
    throw new AuditChainBroken(
      `the end of the chain at ${end.sequence}, or a row behind it, is not as it was left`,
    );
  }
  return { sequence: end.sequence + rows.length, hash: hash.toString('hex') };
}

async function assertStands({ session, table }: ActiveChainerOptions, sql: Sql, place: Place): Promise<void> {
  const [row] = await session.query<PlaceRow>(sql.readPlace, [place.sequence]);
  if (row?.hash_hex === place.hash) return;
  const what = row === undefined ? 'is gone' : 'is not the one that was there';
  throw new AuditChainBroken(`row ${place.sequence} of ${table.service}.${table.name} ${what}`);
}

/** The checkpoint signed last must be authentic and its row in place. It is logged again: its maker may have died. */
async function resumeCheckpoints(options: ActiveChainerOptions, sql: Sql) {
  const { session, tuning, keys, table, clock, metrics } = options;
  const [stored] = await session.query<CheckpointRow>(sql.readLastCheckpoint);
  let last = { sequence: 0, jws: undefined as string | undefined, madeAtMs: performance.now() };
  if (stored !== undefined) {
    const signed = authentic(options, stored);
    await assertStands(options, sql, { sequence: signed.sequence, hash: signed.hash.toString('hex') });
    const madeAtMs = performance.now() - stored.age_seconds * 1_000;
    last = { sequence: signed.sequence, jws: stored.jws, madeAtMs };
    log(options, last.sequence, stored.jws);
  }
  return {
    async whenDue(end: Place): Promise<void> {
      const grown = end.sequence - last.sequence;
      const isLate = performance.now() - last.madeAtMs >= tuning.checkpointSeconds * 1_000;
      if (grown === 0 || (grown < tuning.checkpointRows && !isLate)) return;
      const at = new Date(Math.floor(clock().getTime() / 1_000) * 1_000);
      const hash = Buffer.from(end.hash, 'hex');
      const jws = signCheckpoint(keys, { sequence: end.sequence, hash, at, previousJws: last.jws });
      const { kid } = readCheckpoint(keys, table.service, jws);
      await session.query(sql.insertCheckpoint, [end.sequence, end.hash, at, kid, jws]);
      crashpoint(auditCrashPoints.afterCheckpoint);
      last = { sequence: end.sequence, jws, madeAtMs: performance.now() };
      log(options, end.sequence, jws);
      metrics?.checkpoint({ sequence: end.sequence });
    },
  };
}

function authentic({ keys, table }: ActiveChainerOptions, stored: CheckpointRow) {
  try {
    return readCheckpoint(keys, table.service, stored.jws);
  } catch (cause) {
    throw new AuditChainBroken(`the checkpoint at ${stored.place} is not authentic`, { cause });
  }
}

/** A copy that leaves the database: who alters rows and checkpoints there does not reach the log. */
function log({ logger, schema }: ActiveChainerOptions, sequence: number, checkpoint: string): void {
  logger.info({ schema, sequence, checkpoint }, 'audit checkpoint');
}
