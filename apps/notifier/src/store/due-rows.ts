import type { Database } from '@rubrica/database/connection';
import { dueRowLease } from '@rubrica/database/lease';
import { type ColumnMap, statement, toColumns } from '@rubrica/database/statement';
import type { QueueItem } from '../send-queue/ledger.ts';

type Leased = Pick<QueueItem, 'id' | 'fence'>;
type Target = Pick<Database, 'statement'>;

/** Queries for `rubrica_due_oldest_seconds`; a long queue is sampled, because all of it is due. */
export const dueQueues = {
  webhooks: `select min(due_at) as at from (
    select due_at from delivery where state = 'PENDING' limit 10000
  ) as one`,
  messages: "select min(due_at) as at from message where state = 'PENDING'",
  notices: "select min(due_at) as at from notice where state = 'PENDING'",
} as const;

/** Finished attempt with the new state of its row. */
interface LetterRecord extends Leased {
  readonly error: string | null;
  readonly state: 'PENDING' | 'SENT' | 'FAILED' | 'SUPERSEDED';
  /** Delay from the end of the attempt; null unless pending. */
  readonly retryAfterMs: number | null;
}

const recordColumns = ['id', 'fence', 'error', 'state', 'retryAfterMs'] as const;

/** Computes when the row of an attempt `e` is due next; a finished row is never due. */
export const nextDueAtSql = `case when e.state = 'PENDING' then now() + e.retry_after_ms * interval '1 ms' end`;

/** Creates the statement that records attempts, so that outcome and next time commit together. */
export function recordLetters(table: 'message' | 'notice') {
  const record = statement<ColumnMap<LetterRecord, (typeof recordColumns)[number]>, { id: string }>({
    name: `record-${table}s`,
    sql: `
update ${table} as r set
  state = e.state,
  due_at = ${nextDueAtSql},
  attempts = r.attempts + 1,
  round_attempts = r.round_attempts + 1,
  last_error = e.error,
  sent_at = case when e.state = 'SENT' then now() else r.sent_at end
from unnest(:id::uuid[], :fence::int[], :error::text[], :state::text[], :retryAfterMs::float8[])
  as e (id, fence, error, state, retry_after_ms)
where r.id = e.id and r.fence = e.fence
returning r.id`,
  });
  return async (database: Target, records: readonly LetterRecord[]): Promise<boolean[]> => {
    const rows = await record.run(database, toColumns(records, recordColumns));
    const written = new Set(rows.map(({ id }) => id));
    return records.map(({ id }) => written.has(id));
  };
}

/** Creates the statement that ends the leases of rows that will not be attempted, which makes them due immediately. */
export function releaseDueRows(table: 'delivery' | 'message' | 'notice') {
  const release = statement<ColumnMap<Leased, keyof Leased>>({
    name: `release-due-${table}`,
    sql: `
update ${table} as r set ${dueRowLease.end} from unnest(:id::uuid[], :fence::int[]) as leased (id, fence)
where r.id = leased.id and r.fence = leased.fence and r.state = 'PENDING'`,
  });
  return async (database: Target, rows: readonly Leased[]): Promise<void> => {
    await release.run(database, toColumns(rows, ['id', 'fence']));
  };
}
