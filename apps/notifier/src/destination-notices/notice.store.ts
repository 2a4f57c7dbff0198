import type { Database } from '@rubrica/database';
import type { Ledger } from '../send-queue/ledger.ts';
import { iso } from '../store/instants.ts';

export type NoticeKind = 'webhook-disabled' | 'webhook-recovered' | 'operator-alert';

/**
 * A notice whose next attempt belongs to this process until the lease ends. Its row was written in the statement
 * that changed the destination (`endpoint-sql.ts`), under an id made of what it is about.
 */
export interface LeasedNotice {
  readonly id: string;
  readonly kind: NoticeKind;
  readonly partnerId: string;
  /** The channel: what concurrency is bounded by. */
  readonly destination: 'email';
  /** Scheme, host and port of what failed. */
  readonly about: string;
  readonly failingSince: string;
  readonly roundAttempts: number;
  readonly fence: number;
}

export interface NoticeRecord {
  readonly id: string;
  readonly kind: NoticeKind;
  readonly fence: number;
  readonly durationMs: number;
  readonly outcome: 'SENT' | 'REFUSED' | 'UNAVAILABLE' | 'NOT_PREPARED';
  readonly error: string | null;
  readonly state: 'PENDING' | 'SENT' | 'FAILED';
  readonly retryAfterMs: number | null;
}

const leaseSql = `
update notice n set due_at = now() + $2::int * interval '1 ms', fence = fence + 1
where id in (
  select id from notice where state = 'PENDING' and due_at <= now()
  order by due_at limit $1 for update skip locked
)
returning n.id, n.kind, n.partner_id as "partnerId", 'email' as destination, n.destination as about,
  ${iso('n.failing_since')} as "failingSince", n.round_attempts as "roundAttempts", n.fence`;

/** One statement, so that an attempt's outcome and the next time commit together. */
const recordSql = `
update notice n set
  state = e.state,
  due_at = case when e.state = 'PENDING' then now() + e.retry_after_ms * interval '1 ms' end,
  attempts = n.attempts + 1,
  round_attempts = n.round_attempts + 1,
  last_error = e.error,
  sent_at = case when e.state = 'SENT' then now() else n.sent_at end
from unnest($1::uuid[], $2::int[], $3::text[], $4::text[], $5::float8[])
  as e (id, fence, error, state, retry_after_ms)
where n.id = e.id and n.fence = e.fence
returning n.id`;

const releaseSql = `
update notice n set due_at = now() from unnest($1::uuid[], $2::int[]) as r (id, fence)
where n.id = r.id and n.fence = r.fence and n.state = 'PENDING'`;

/** What the destination has missed; the first of it was stored shortly before its first failure was recorded. */
const missedSql = `
select count(*)::int as missed from delivery
where partner_id = $1 and destination = $2 and state <> 'DELIVERED'
  and created_at >= $3::timestamptz - interval '1 hour'`;

export function createNoticeStore(
  database: Pick<Database, 'statement'>,
): Ledger<LeasedNotice, NoticeRecord> & { missed(notice: LeasedNotice): Promise<number> } {
  return {
    leaseDue: ({ limit, leaseMs }) =>
      database.statement<LeasedNotice>({
        name: 'lease-due-notices',
        text: leaseSql,
        params: [limit, leaseMs],
      }),
    async record(records) {
      const column = <Key extends keyof NoticeRecord>(key: Key) => records.map((record) => record[key]);
      const rows = await database.statement<{ id: string }>({
        name: 'record-notices',
        text: recordSql,
        params: [column('id'), column('fence'), column('error'), column('state'), column('retryAfterMs')],
      });
      const written = new Set(rows.map(({ id }) => id));
      return records.map(({ id }) => written.has(id));
    },
    async release(items) {
      await database.statement({
        name: 'release-notices',
        text: releaseSql,
        params: [items.map(({ id }) => id), items.map(({ fence }) => fence)],
      });
    },
    async missed({ partnerId, about, failingSince }) {
      const params = [partnerId, about, failingSince];
      const [row] = await database.statement<{ missed: number }>({ name: 'missed', text: missedSql, params });
      return row?.missed ?? 0;
    },
  };
}
