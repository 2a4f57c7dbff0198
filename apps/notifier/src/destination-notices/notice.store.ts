import type { Database } from '@rubrica/database/connection';
import { dueRowLease } from '@rubrica/database/lease';
import { statement } from '@rubrica/database/statement';
import type { Ledger } from '../send-queue/ledger.ts';
import { recordLetters, releaseDueRows } from '../store/due-rows.ts';
import { isoSql } from '../store/instants.ts';

export type NoticeKind = 'webhook-disabled' | 'webhook-recovered' | 'operator-alert';

/**
 * Notice whose next attempt belongs to this process until the lease ends. The statement that changed the destination
 * (`destination-sql.ts`) wrote its row, under an id derived from its content.
 */
export interface LeasedNotice {
  readonly id: string;
  readonly kind: NoticeKind;
  readonly partnerId: string;
  /** Channel, by which concurrency is limited. */
  readonly destination: 'email';
  /** Scheme, host and port of the failing destination. */
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

const leaseDue = statement<{ limit: number; leaseSeconds: number }, LeasedNotice>({
  name: 'lease-due-notices',
  sql: `
update notice n set ${dueRowLease.take}
where id in (
  select id from notice where state = 'PENDING' and ${dueRowLease.isFree}
  order by due_at limit :limit for update skip locked
)
returning n.id, n.kind, n.partner_id as "partnerId", 'email' as destination, n.destination as about,
  ${isoSql('n.failing_since')} as "failingSince", n.round_attempts as "roundAttempts", n.fence`,
});

const record = recordLetters('notice');
const release = releaseDueRows('notice');

/**
 * Counts what the destination has missed. The first delivery was stored shortly before its first failure was recorded.
 */
const countMissed = statement<
  Pick<LeasedNotice, 'partnerId' | 'about' | 'failingSince'>,
  { readonly missed: number }
>({
  name: 'missed',
  sql: `
select count(*)::int as missed from delivery
where partner_id = :partnerId and destination = :about and state in ('PENDING', 'EXHAUSTED', 'STOPPED')
  and created_at >= :failingSince::timestamptz - interval '1 hour'`,
});

export function createNoticeStore(
  database: Pick<Database, 'statement'>,
): Ledger<LeasedNotice, NoticeRecord> & { missed(notice: LeasedNotice): Promise<number> } {
  return {
    leaseDue: ({ limit, leaseMs }) => leaseDue.run(database, { limit, leaseSeconds: leaseMs / 1_000 }),
    record: (records) => record(database, records),
    release: (items) => release(database, items),
    async missed(notice) {
      const [row] = await countMissed.run(database, notice);
      return row?.missed ?? 0;
    },
  };
}
