import { crashpoint } from '@rubrica/process';
import type { OwnSession } from '../connection/own-session.ts';
import { assertLockHeld, type SessionLock } from '../lock/session-lock.ts';
import type { Pacer } from '../relay/pacer.ts';
import { auditCrashPoints } from './audit-table.ts';
import type { RawAuditRow } from './chained-row.ts';
import type { ChainerOptions, ChainerTuning } from './chainer-options.ts';
import { type ChainerSql, type CheckpointRow, chainerSql, type PlaceRow } from './chainer-sql.ts';
import { readCheckpoint, signCheckpoint } from './checkpoint.ts';
import { AuditChainBroken, type Place, placeRows } from './place-rows.ts';
import { startChain } from './start-chain.ts';

export interface ActiveChainerOptions extends ChainerOptions {
  readonly session: OwnSession;
  readonly lock: SessionLock;
  readonly pacer: Pacer;
  readonly tuning: ChainerTuning;
  readonly isStopping: () => boolean;
  /** What this copy placed last, in this session or an earlier one; it must still be there. */
  readonly remembered: Place | undefined;
  readonly remember: (place: Place) => void;
}

function toPlace({ place, hash_hex }: PlaceRow): Place {
  return { sequence: Number(place), hash: hash_hex };
}

/**
 * Gives rows their places while the session lasts. Returns when asked to stop; throws when the session is lost.
 * @throws FenceLost where another chainer has taken the lock
 * @throws AuditChainBroken
 */
export async function chainWhileHeld(options: ActiveChainerOptions): Promise<void> {
  const { session, pacer, tuning, isStopping, metrics } = options;
  const sql = chainerSql(options.table);
  const checkpoints = await resumeCheckpoints(options, sql);
  const remembered = options.remembered;
  if (remembered !== undefined) await assertStands(options, sql, remembered);
  const [last] = await session.query<PlaceRow>(sql.readEnd);
  let end = last === undefined ? await startAnew(options, sql) : toPlace(last);
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
  // Perhaps nobody takes over for a long time.
  await checkpoints.upTo(end);
}

async function startAnew(options: ActiveChainerOptions, sql: ChainerSql): Promise<Place> {
  const { logger, schema, metrics, remember } = options;
  const end = await startChain(options, sql);
  remember(end);
  metrics?.placed({ sequence: end.sequence });
  logger.info({ schema, sequence: end.sequence }, 'audit chain started');
  return end;
}

async function assertStands(
  { session, table }: ActiveChainerOptions,
  sql: ChainerSql,
  place: Place,
): Promise<void> {
  const [row] = await session.query<PlaceRow>(sql.readPlace, [place.sequence]);
  if (row?.hash_hex === place.hash) return;
  const what = row === undefined ? 'is gone' : 'is not the one that was there';
  throw new AuditChainBroken(`row ${place.sequence} of ${table.service}.${table.name} ${what}`);
}

/** The checkpoint signed last must be authentic and its row in place. It is logged again: its maker may have died. */
async function resumeCheckpoints(options: ActiveChainerOptions, sql: ChainerSql) {
  const { session, lock, tuning, keys, table, clock, metrics } = options;
  const [stored] = await session.query<CheckpointRow>(sql.readLastCheckpoint);
  // Where there is none it is due at once: copies that never live for a minute could put it off without end.
  let last = { sequence: 0, jws: undefined as string | undefined, madeAtMs: Number.NEGATIVE_INFINITY };
  if (stored !== undefined) {
    const signed = authentic(options, stored);
    await assertStands(options, sql, { sequence: signed.sequence, hash: signed.hash.toString('hex') });
    // Its time is by the clock of whoever made it: one of the future must not put the next one off.
    const madeAtMs = performance.now() - Math.max(stored.age_seconds, 0) * 1_000;
    last = { sequence: signed.sequence, jws: stored.jws, madeAtMs };
    log(options, last.sequence, stored.jws);
  }
  const upTo = async (end: Place): Promise<void> => {
    if (end.sequence === last.sequence) return;
    const at = new Date(Math.floor(clock().getTime() / 1_000) * 1_000);
    const hash = Buffer.from(end.hash, 'hex');
    const jws = signCheckpoint(keys, { sequence: end.sequence, hash, at, previousJws: last.jws });
    const { kid } = readCheckpoint(keys, table.service, jws);
    const checkpoint = [end.sequence, end.hash, at, kid, jws];
    const inserted = await session.query(sql.insertCheckpoint, [...checkpoint, lock.name, lock.fence]);
    if (inserted.length === 0) await assertLockHeld(session, lock);
    crashpoint(auditCrashPoints.afterCheckpoint);
    last = { sequence: end.sequence, jws, madeAtMs: performance.now() };
    log(options, end.sequence, jws);
    metrics?.checkpoint({ sequence: end.sequence });
  };
  return {
    upTo,
    async whenDue(end: Place): Promise<void> {
      const isLate = performance.now() - last.madeAtMs >= tuning.checkpointSeconds * 1_000;
      if (isLate || end.sequence - last.sequence >= tuning.checkpointRows) await upTo(end);
    },
  };
}

function authentic({ keys, table }: ActiveChainerOptions, stored: CheckpointRow) {
  try {
    return readCheckpoint(keys, table.service, stored.jws);
  } catch (cause) {
    const why = (cause as Error).message;
    throw new AuditChainBroken(`the checkpoint at ${stored.place} is not authentic: ${why}`, { cause });
  }
}

/** A copy that leaves the database: who alters rows and checkpoints there does not reach the log. */
function log({ logger, schema }: ActiveChainerOptions, sequence: number, checkpoint: string): void {
  logger.info({ schema, sequence, checkpoint }, 'audit checkpoint');
}
