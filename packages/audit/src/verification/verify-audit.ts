import { setImmediate as nextTick } from 'node:timers/promises';
import type { SqlRunner } from '@rubrica/database/connection';
import type { EntryGuard } from '@rubrica/database/entries';
import { type RawAuditRow, toChainedRow, toStoredEntry } from '../chain/chained-row.ts';
import { type CheckpointVerifier, readCheckpoint, readStoredCheckpoint } from '../chain/checkpoint.ts';
import { type AuditTable, maxSequence } from '../log/audit-table.ts';
import { type AuditFinding, createFindings, type Findings } from './findings.ts';
import { type CheckpointJudge, createCheckpointJudge, type StoredCheckpoint } from './judge-checkpoints.ts';
import { createRowJudge, type RowJudge } from './judge-rows.ts';
import { type Extent, type Remainder, verifySql } from './verify-sql.ts';

export interface VerifyAuditDeps {
  readonly sql: SqlRunner;
  readonly table: AuditTable;
  readonly keys: CheckpointVerifier;
  /** Undefined if the key of the entries' MACs is not available: they are not checked, and `macs` states it. */
  readonly entries?: EntryGuard | undefined;
}

export interface VerifyAuditRequest {
  /** First position to verify; default 1. The row before it is trusted. */
  readonly from?: number;
  /** Maximum number of rows to verify; `next` states where to continue. */
  readonly maxRows: number;
  /** Checkpoints that were stored elsewhere, as compact JWS; compared at the end of the chain. */
  readonly checkpoints?: readonly string[];
}

export interface AuditVerification {
  readonly rows: number;
  readonly checkpoints: number;
  /** `unchecked` if the service's key file was not available. */
  readonly macs: 'checked' | 'unchecked';
  readonly findings: readonly AuditFinding[];
  /** Position at which to continue; null at the end of the chain. */
  readonly next: number | null;
  /** Last position of the chain at the time of this call. */
  readonly end: number;
  /** Position of the last authentic checkpoint at the time of this call; later rows are proven by the chain alone. */
  readonly lastCheckpoint: number;
  /** Committed rows without a position; counted at the end of the chain. */
  readonly unchained: number;
}

const batchRows = 1_000;
/** Time of checking rows without a pause. */
const maxStretchMs = 10;
/** Further findings appear in the continued calls. */
const maxFindings = 100;

/**
 * Verifies a part of the chain: positions, hashes, links, and the checkpoints that cover it. It only reads, in batches,
 * so memory is constant however long the chain is. Another call continues from `next`.
 * @throws if the database cannot be read, or a checkpoint from elsewhere is not one of this service's
 */
export async function verifyAudit(
  deps: VerifyAuditDeps,
  { from = 1, maxRows, checkpoints = [] }: VerifyAuditRequest,
): Promise<AuditVerification> {
  const { sql, table, keys } = deps;
  const elsewhere = checkpoints.map((jws) => readCheckpoint(keys, table.service, jws));
  const text = verifySql(table);
  const [extent] = await sql.execute<Extent>(text.extent);
  const [end, checkpointEnd] = [Number(extent?.chain_end), Number(extent?.checkpoint_end)];
  const lastCheckpoint = Number((await findCheckpointBefore(deps, maxSequence))?.place ?? 0);
  const macs = deps.entries === undefined ? 'unchecked' : 'checked';
  const findings = createFindings();
  const judges = await createJudges(deps, { from, findings });
  let looked = { rows: 0, checkpoints: 0 };
  let position = from - 1;
  let isEnd = false;
  const pause = createPause();
  while (!isEnd && looked.rows < maxRows && findings.list().length < maxFindings) {
    const limit = Math.min(batchRows, maxRows - looked.rows);
    const raw = await readBatch(deps, { after: position, end, limit });
    for (const row of raw) {
      judges.rows.take(toChainedRow(table, row));
      judgeEntry(deps, findings, row);
      await pause.take();
    }
    isEnd = raw.length === 0 || judges.rows.last() >= end;
    const upTo = isEnd ? checkpointEnd : judges.rows.last();
    const stretch = { after: position, upTo, raw, end };
    looked = {
      rows: looked.rows + raw.length,
      checkpoints: looked.checkpoints + (await judgeCheckpoints(deps, judges.checkpoints, stretch)),
    };
    position = judges.rows.last();
  }
  const next = isEnd ? null : judges.rows.last() + 1;
  if (!isEnd) return { ...looked, macs, findings: findings.list(), next, end, lastCheckpoint, unchained: 0 };
  for (const signed of elsewhere) {
    const [row] = await sql.execute<RawAuditRow>(text.row, [signed.sequence]);
    judges.checkpoints.compare(signed, row && { id: row.own_id, hash: row.hash_hex ?? '' }, end);
  }
  const unchained = await judgeRemainder(deps, findings);
  return { ...looked, macs, findings: findings.list(), next, end, lastCheckpoint, unchained };
}

/** Creates a pause between rows, which lets other work of the process run once some milliseconds were spent. */
function createPause(): { take(): Promise<void> | undefined } {
  let begunAt = performance.now();
  return {
    take() {
      if (performance.now() - begunAt < maxStretchMs) return undefined;
      return nextTick().then(() => {
        begunAt = performance.now();
      });
    },
  };
}

/**
 * Checks the MAC of an entry. An entry added without the service is chained like any other: only its missing MAC
 * reveals it.
 */
function judgeEntry({ entries, table }: VerifyAuditDeps, findings: Findings, row: RawAuditRow): void {
  if (entries === undefined || entries.counts(toStoredEntry(table, row))) return;
  const text = 'the service did not write this entry: its MAC is missing or is not that of what it says';
  const sequence = row.place === null ? null : Number(row.place);
  findings.add({ kind: 'not-authentic', sequence, id: row.own_id, text });
}

async function findCheckpointBefore(
  { sql, table, keys }: VerifyAuditDeps,
  place: number,
): Promise<StoredCheckpoint | undefined> {
  let before: readonly [string, string] = [String(place), ''];
  for (;;) {
    const page = await sql.execute<StoredCheckpoint>(verifySql(table).checkpointsBefore, before);
    for (const stored of page) {
      if (!(readStoredCheckpoint(keys, table.service, stored) instanceof Error)) return stored;
      before = [stored.place, stored.jws];
    }
    if (page.length === 0) return undefined;
  }
}

/** Reads rows in the order of positions; none at the end. */
async function readBatch(
  { sql, table }: VerifyAuditDeps,
  { after, end, limit }: { after: number; end: number; limit: number },
): Promise<RawAuditRow[]> {
  const text = verifySql(table);
  const rows = await sql.execute<RawAuditRow>(text.rows, [after, Math.min(end, after + limit)]);
  if (rows.length > 0 || after + limit >= end) return rows;
  const [next] = await sql.execute<{ first: string | null }>(text.firstPlace, [after, end]);
  if (next?.first == null) return rows;
  const first = Number(next.first);
  return sql.execute<RawAuditRow>(text.rows, [first - 1, Math.min(end, first - 1 + limit)]);
}

async function createJudges(
  deps: VerifyAuditDeps,
  { from, findings }: { from: number; findings: Findings },
): Promise<{ rows: RowJudge; checkpoints: CheckpointJudge }> {
  const { sql, table, keys } = deps;
  const text = verifySql(table);
  const [anchor] = from === 1 ? [] : await sql.execute<RawAuditRow>(text.row, [from - 1]);
  const before = await findCheckpointBefore(deps, from);
  return {
    rows: createRowJudge({ table, from, findings, anchor: anchor && toChainedRow(table, anchor) }),
    checkpoints: createCheckpointJudge({ table, keys, before, findings }),
  };
}

async function judgeCheckpoints(
  { sql, table }: VerifyAuditDeps,
  judge: CheckpointJudge,
  stretch: { after: number; upTo: number; raw: readonly RawAuditRow[]; end: number },
): Promise<number> {
  const rows = new Map(stretch.raw.map((row) => [Number(row.place), row]));
  let count = 0;
  // Continues after each checkpoint of the previous position.
  let after: readonly [string, string] = [String(stretch.after + 1), ''];
  for (;;) {
    const page = [...after, stretch.upTo];
    const stored = await sql.execute<StoredCheckpoint>(verifySql(table).checkpoints, page);
    for (const checkpoint of stored) {
      const signed = judge.take(checkpoint);
      if (signed === undefined) continue;
      const row = rows.get(signed.sequence);
      judge.compare(signed, row && { id: row.own_id, hash: row.hash_hex ?? '' }, stretch.end);
    }
    count += stored.length;
    const last = stored.at(-1);
    if (last === undefined) return count;
    after = [last.place, last.jws];
  }
}

async function judgeRemainder(deps: VerifyAuditDeps, findings: Findings): Promise<number> {
  const { sql, table } = deps;
  const [rest] = await sql.execute<Remainder>(verifySql(table).remainder);
  const id = rest?.stray_id ?? null;
  if (id !== null) {
    const text = 'the row has a place that no chain has, or half of one';
    findings.add({ kind: 'inserted', sequence: null, id, text });
  }
  const waiting = await sql.execute<RawAuditRow>(verifySql(table).unplaced);
  for (const row of waiting) judgeEntry(deps, findings, row);
  return Number(rest?.unchained);
}
