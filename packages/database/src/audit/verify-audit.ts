import type { SqlRunner } from '../connection/sql-runner.ts';
import type { AuditTable } from './audit-table.ts';
import { type RawAuditRow, toChainedRow } from './chained-row.ts';
import { type CheckpointVerifier, readCheckpoint } from './checkpoint.ts';
import { type AuditFinding, createFindings, type Findings } from './findings.ts';
import { type CheckpointJudge, createCheckpointJudge, type StoredCheckpoint } from './judge-checkpoints.ts';
import { createRowJudge, type RowJudge } from './judge-rows.ts';
import { type Extent, type Remainder, verifySql } from './verify-sql.ts';

export interface VerifyAuditDeps {
  readonly sql: SqlRunner;
  readonly table: AuditTable;
  readonly keys: CheckpointVerifier;
}

export interface VerifyAuditRequest {
  /** First place to look at; 1 unless given. The row before it is taken for granted. */
  readonly from?: number;
  /** Most rows to look at; `next` says where to go on. */
  readonly maxRows: number;
  /** Checkpoints that were kept elsewhere, as compact JWS; compared when the end is reached. */
  readonly checkpoints?: readonly string[];
}

export interface AuditVerification {
  readonly rows: number;
  readonly checkpoints: number;
  readonly findings: readonly AuditFinding[];
  /** Where to go on; null when the end was reached. */
  readonly next: number | null;
  /** The last place of the chain, as of this call. */
  readonly end: number;
  /** Of the last checkpoint, as of this call; rows behind it are vouched for by the chain alone. */
  readonly lastCheckpoint: number;
  /** Committed rows that have no place yet; told when the end was reached. */
  readonly unchained: number;
}

const batchRows = 1_000;
/** Beyond these the rest is seen by going on. */
const mostFindings = 100;

/**
 * Looks at a stretch of the chain: places, hashes, links, and the checkpoints that speak of it. Reads alone, in
 * batches, so memory stays flat however long the chain is. A call continues where another ended by `from: next`.
 * @throws when the database cannot be read, or a checkpoint from elsewhere is not one of this service's
 */
export async function verifyAudit(
  deps: VerifyAuditDeps,
  { from = 1, maxRows, checkpoints = [] }: VerifyAuditRequest,
): Promise<AuditVerification> {
  const { sql, table, keys } = deps;
  const elsewhere = checkpoints.map((jws) => readCheckpoint(keys, table.service, jws));
  const text = verifySql(table);
  const [extent] = await sql.execute<Extent>(text.extent);
  const [end, lastCheckpoint] = [Number(extent?.chain_end), Number(extent?.checkpoint_end)];
  const findings = createFindings();
  const judges = await createJudges(deps, { from, findings });
  let looked = { rows: 0, checkpoints: 0 };
  let position = from - 1;
  let isEnd = false;
  while (!isEnd && looked.rows < maxRows && findings.list().length < mostFindings) {
    const limit = Math.min(batchRows, maxRows - looked.rows);
    const raw = await readBatch(deps, { after: position, end, limit });
    for (const row of raw) judges.rows.take(toChainedRow(table, row));
    isEnd = raw.length === 0 || judges.rows.last() >= end;
    const upTo = isEnd ? lastCheckpoint : judges.rows.last();
    const stretch = { after: position, upTo, raw, end };
    looked = {
      rows: looked.rows + raw.length,
      checkpoints: looked.checkpoints + (await judgeCheckpoints(deps, judges.checkpoints, stretch)),
    };
    position = judges.rows.last();
  }
  const next = isEnd ? null : judges.rows.last() + 1;
  if (!isEnd) return { ...looked, findings: findings.list(), next, end, lastCheckpoint, unchained: 0 };
  for (const signed of elsewhere) {
    const [row] = await sql.execute<RawAuditRow>(text.row, [signed.sequence]);
    judges.checkpoints.compare(signed, row && { id: row.own_id, hash: row.hash_hex ?? '' }, end);
  }
  const unchained = await judgeRemainder(deps, findings);
  return { ...looked, findings: findings.list(), next, end, lastCheckpoint, unchained };
}

/** In the order of places; none when the end is reached. */
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
  { sql, table, keys }: VerifyAuditDeps,
  { from, findings }: { from: number; findings: Findings },
): Promise<{ rows: RowJudge; checkpoints: CheckpointJudge }> {
  const text = verifySql(table);
  const [anchor] = from === 1 ? [] : await sql.execute<RawAuditRow>(text.row, [from - 1]);
  const [before] = await sql.execute<StoredCheckpoint>(text.checkpointBefore, [from]);
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
  for (let after = stretch.after; ; ) {
    const stored = await sql.execute<StoredCheckpoint>(verifySql(table).checkpoints, [after, stretch.upTo]);
    for (const one of stored) {
      const signed = judge.take(one);
      if (signed === undefined) continue;
      const row = rows.get(signed.sequence);
      // One whose place was altered speaks of a row elsewhere; that it was altered has been found.
      if (String(signed.sequence) !== one.place) continue;
      judge.compare(signed, row && { id: row.own_id, hash: row.hash_hex ?? '' }, stretch.end);
    }
    count += stored.length;
    const last = stored.at(-1);
    if (last === undefined) return count;
    after = Number(last.place);
  }
}

async function judgeRemainder({ sql, table }: VerifyAuditDeps, findings: Findings): Promise<number> {
  const [rest] = await sql.execute<Remainder>(verifySql(table).remainder);
  const id = rest?.stray_id ?? null;
  if (id !== null) {
    const text = 'the row has a place that no chain has, or half of one';
    findings.add({ kind: 'inserted', sequence: null, id, text });
  }
  return Number(rest?.unchained);
}
