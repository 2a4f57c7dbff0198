import type { OwnSession } from '@rubrica/database/connection';
import { assertLockHeld, type SessionLock } from '@rubrica/database/lock';
import type { Pacer } from '@rubrica/database/relay';
import { crashpoint } from '@rubrica/process/crashpoint';
import { auditCrashPoints, genesis, maxSequence } from '../log/audit-table.ts';
import { AuditChainBroken, type ChainPosition, chainRows } from './chain-rows.ts';
import { isSound, type RawAuditRow, toChainedRow, toStoredEntry } from './chained-row.ts';
import type { ChainerOptions, ChainerTuning } from './chainer-options.ts';
import { type ChainerSql, type CheckpointRow, chainerSql, type PositionRow } from './chainer-sql.ts';
import { type Checkpoint, readCheckpoint, readStoredCheckpoint, signCheckpoint } from './checkpoint.ts';
import { startChain } from './start-chain.ts';

export interface ActiveChainerOptions extends ChainerOptions {
  readonly session: OwnSession;
  readonly lock: SessionLock;
  readonly pacer: Pacer;
  readonly tuning: ChainerTuning;
  readonly isStopping: () => boolean;
  /** Last position that this copy chained, in this session or an earlier one; it must still exist. */
  readonly remembered: ChainPosition | undefined;
  readonly remember: (place: ChainPosition) => void;
}

function toPlace({ place, hash_hex }: PositionRow): ChainPosition {
  return { sequence: Number(place), hash: hash_hex };
}

/**
 * Chains rows while the session lasts. Returns when asked to stop; throws when the session is lost.
 * @throws FenceLost if another chainer has taken the lock
 * @throws AuditChainBroken
 */
export async function chainWhileHeld(options: ActiveChainerOptions): Promise<void> {
  const { session, pacer, tuning, isStopping, metrics } = options;
  const sql = chainerSql(options.table);
  const checkpoints = await resumeCheckpoints(options, sql);
  const remembered = options.remembered;
  if (remembered !== undefined) await assertRowExists(options, sql, remembered);
  // Rows that a former copy has chained since its last checkpoint are verified again.
  let end = await followPlaces(options, sql, remembered ?? checkpoints.start());
  if (end.sequence === 0) end = await startNewChain(options, sql);
  metrics?.broken(false);
  let followedAtMs = performance.now();
  while (!isStopping()) {
    const startedAt = performance.now();
    const rows = await session.query<RawAuditRow>(sql.readUnplaced, [tuning.batchRows]);
    if (rows.length > 0) {
      crashpoint(auditCrashPoints.afterRead);
      end = await placeOrFollow(options, sql, { rows, end });
      options.remember(end);
      metrics?.placed({ sequence: end.sequence });
      crashpoint(auditCrashPoints.afterChain);
    } else if (performance.now() - followedAtMs >= tuning.checkpointSeconds * 1_000) {
      // The service's role may chain its own entry while the log is quiet.
      end = await followPlaces(options, sql, end);
      options.remember(end);
      followedAtMs = performance.now();
    }
    await checkpoints.whenDue(end);
    // With a backlog it works half of the time: inserts have priority.
    const isBehind = rows.length === tuning.batchRows;
    await pacer.turn(isBehind ? performance.now() - startedAt : tuning.pollMs);
  }
  // It may be long before another copy takes over.
  await checkpoints.upTo(end);
}

/**
 * Chains rows after the end. If the service's role has chained rows meanwhile, without the chainer, it continues after
 * those: triggers let the role extend the chain, but not change it.
 * @throws AuditChainBroken if the end is not as the chainer left it
 */
async function placeOrFollow(
  options: ActiveChainerOptions,
  sql: ChainerSql,
  { rows, end }: { rows: readonly RawAuditRow[]; end: ChainPosition },
): Promise<ChainPosition> {
  const placed = await chainRows(options, sql, { rows, end });
  if (placed !== undefined) {
    for (const row of rows) reportForged(options, row);
    return placed;
  }
  await assertRowExists(options, sql, end);
  const next = await followPlaces(options, sql, end);
  if (next.sequence > end.sequence) return next;
  throw new AuditChainBroken(`a row behind the end of the chain at ${end.sequence} is not as it was left`);
}

/**
 * Verifies the rows after a position and raises an alarm for each that is not authentic.
 * @returns the end of the chain
 */
async function followPlaces(
  options: ActiveChainerOptions,
  sql: ChainerSql,
  after: ChainPosition | undefined,
): Promise<ChainPosition> {
  const { session, table } = options;
  const genesisPlace = { sequence: 0, hash: genesis.toString('hex') };
  let end = after ?? (await session.query<PositionRow>(sql.readEnd)).map(toPlace)[0] ?? genesisPlace;
  for (;;) {
    const rows = await session.query<RawAuditRow>(sql.readPlaced, [end.sequence, followedRows]);
    for (const row of rows) {
      if (!reportForged(options, row) && !isSound(table, toChainedRow(table, row))) alarm(options, row);
      end = { sequence: Number(row.place), hash: row.hash_hex ?? '' };
    }
    if (rows.length < followedRows) return end;
  }
}

const followedRows = 500;

/** @returns true if this service did not write the entry, with the alarm raised */
function reportForged(options: ActiveChainerOptions, row: RawAuditRow): boolean {
  const { entries, table } = options;
  if (entries === undefined || entries.counts(toStoredEntry(table, row))) return false;
  alarm(options, row);
  return true;
}

function alarm({ onNotAuthentic, table }: ActiveChainerOptions, { own_id: id }: RawAuditRow): void {
  onNotAuthentic?.({ table: table.name, id });
}

async function startNewChain(options: ActiveChainerOptions, sql: ChainerSql): Promise<ChainPosition> {
  const { logger, schema, metrics, remember } = options;
  const end = await startChain(options, sql);
  remember(end);
  metrics?.placed({ sequence: end.sequence });
  logger.info({ schema, sequence: end.sequence }, 'audit chain started');
  return end;
}

async function assertRowExists(
  { session, table }: ActiveChainerOptions,
  sql: ChainerSql,
  place: ChainPosition,
): Promise<void> {
  const [row] = await session.query<PositionRow>(sql.readPlace, [place.sequence]);
  if (row?.hash_hex === place.hash) return;
  const what = row === undefined ? 'is gone' : 'is not the one that was there';
  throw new AuditChainBroken(`row ${place.sequence} of ${table.service}.${table.name} ${what}`);
}

/**
 * Finds the last signed checkpoint, whose row must exist, and logs it again: its signer may have ended before logging
 * it.
 */
async function resumeCheckpoints(options: ActiveChainerOptions, sql: ChainerSql) {
  const { session, lock, tuning, keys, table, clock, metrics } = options;
  const found = await findLastCheckpoint(options, sql);
  const start = found && { sequence: found.signed.sequence, hash: found.signed.hash.toString('hex') };
  // Without a checkpoint one is due at once: copies that never run for a minute could delay it endlessly.
  let last = { sequence: 0, jws: undefined as string | undefined, madeAtMs: Number.NEGATIVE_INFINITY };
  if (found !== undefined && start !== undefined) {
    const { stored, signed } = found;
    await assertRowExists(options, sql, start);
    // The time of a checkpoint is by the clock of its signer: a time in the future must not delay the next one.
    const madeAtMs = performance.now() - Math.max(stored.age_seconds, 0) * 1_000;
    last = { sequence: signed.sequence, jws: stored.jws, madeAtMs };
    log(options, last.sequence, stored.jws);
  }
  const upTo = async (end: ChainPosition): Promise<void> => {
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
    start: () => start,
    async whenDue(end: ChainPosition): Promise<void> {
      const isLate = performance.now() - last.madeAtMs >= tuning.checkpointSeconds * 1_000;
      if (isLate || end.sequence - last.sequence >= tuning.checkpointRows) await upTo(end);
    },
  };
}

interface FoundCheckpoint {
  readonly stored: CheckpointRow;
  readonly signed: Checkpoint;
}

/**
 * Finds the last checkpoint that this service has signed. The service's role can add others. They are skipped, with an
 * alarm, so that they cannot end the chain.
 */
async function findLastCheckpoint(
  options: ActiveChainerOptions,
  sql: ChainerSql,
): Promise<FoundCheckpoint | undefined> {
  const { session, keys, table, onNotAuthentic } = options;
  let before: readonly [string, string] = [String(maxSequence), ''];
  for (;;) {
    const page = await session.query<CheckpointRow>(sql.readCheckpoints, [...before]);
    for (const stored of page) {
      const signed = readStoredCheckpoint(keys, table.service, stored);
      if (signed instanceof Error) onNotAuthentic?.({ table: 'audit_checkpoint', id: stored.place });
      else return { stored, signed };
      before = [stored.place, stored.jws];
    }
    if (page.length === 0) return undefined;
  }
}

/**
 * Logs the checkpoint, as a copy outside the database: an attacker who alters rows and checkpoints there cannot alter
 * the log.
 */
function log({ logger, schema }: ActiveChainerOptions, sequence: number, checkpoint: string): void {
  logger.info({ schema, sequence, checkpoint }, 'audit checkpoint');
}
