import type { WebhookEventType } from '@rubrica/contracts/rest/webhooks';
import type { ErrorCode } from '@rubrica/contracts/shared/errors';
import type { Database } from '@rubrica/database/connection';
import { dueRowLease } from '@rubrica/database/lease';
import type { Sealed } from '@rubrica/database/sealed';
import { type ColumnMap, statement, toColumns } from '@rubrica/database/statement';
import { type DestinationParams, destinationCtesSql } from '../destinations/destination-sql.ts';
import type { Outcome } from '../dialer/outcome.ts';
import { type LeaseRequest, type Ledger, toLeaseParams } from '../send-queue/ledger.ts';
import { nextDueAtSql, releaseDueRows } from '../store/due-rows.ts';
import { isoSql } from '../store/instants.ts';

/** Delivery whose next attempt belongs to this process until the lease ends. */
export interface LeasedDelivery {
  readonly id: string;
  readonly requestId: string;
  readonly partnerId: string;
  readonly type: WebhookEventType;
  readonly url: string;
  /** Its lane (`formatLane`). */
  readonly destination: string;
  readonly occurredAt: string;
  readonly traceparent: string | null;
  /** Reference of the request that this request renews. */
  readonly renewalOf: string | null;
  /** Fault code of an error or refusal. */
  readonly code: ErrorCode | null;
  /** Null once purged. */
  readonly body: Sealed | null;
  /** Covers everything that is sent; null where the previous release stored it. */
  readonly mac: string | null;
  /** Finished attempts of the current series. */
  readonly roundAttempts: number;
  readonly fence: number;
  /** Resolves when the row is stored; nothing is recorded before. Rejects if storing failed. */
  readonly committed?: Promise<void>;
}

/** Record of one attempt with its effect on the delivery. */
export interface AttemptRecord {
  readonly id: string;
  readonly fence: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly outcome: Outcome;
  readonly status: number | null;
  readonly error: string | null;
  /** Excerpt of the receiver's answer, sanitised; null for acknowledged attempts. */
  readonly answer: string | null;
  readonly state: 'PENDING' | 'DELIVERED' | 'EXHAUSTED' | 'STOPPED';
  /** Delay from the end of the attempt; null unless pending. */
  readonly retryAfterMs: number | null;
  /** Time from the event to the end of this attempt, if acknowledged; not stored. */
  readonly delivered?: { readonly seconds: number; readonly attempt: 'first' | 'later' };
}

/** Maximum retention of a bundle after its acknowledgement. */
const bundleGraceHours = 24;

interface DueParams {
  readonly perDestination: number;
  /** Destinations in use, with their remaining capacity in `rooms`. */
  readonly busy: readonly string[];
  readonly rooms: readonly number[];
  readonly perPartner: number;
  /** Partners with leased work, with their remaining capacity in `partnerRooms`. */
  readonly taking: readonly string[];
  readonly partnerRooms: readonly number[];
  readonly limit: number;
  readonly leaseSeconds: number;
}

/**
 * Leases due deliveries. Walks from partner to partner, and from destination to destination of each, over the index
 * (loose index scans). So neither ten thousand deliveries to one receiver nor ten thousand receivers of one partner
 * delay others. The orders are random, so that none always comes last. Partners and destinations without capacity are
 * skipped. The deliveries of a crashed process are due when its lease ends, without a sweep.
 */
const leaseDue = statement<DueParams, LeasedDelivery>({
  name: 'lease-due-deliveries',
  sql: `
with recursive partners as (
  (select partner_id from delivery where state = 'PENDING' order by partner_id limit 1)
  union all
  select (select d.partner_id from delivery d
          where d.state = 'PENDING' and d.partner_id > last.partner_id order by d.partner_id limit 1)
  from partners last where last.partner_id is not null
), waiting as (
  select known.partner_id, coalesce(taking.room, :perPartner::int) as room
  from partners known
  left join unnest(:taking::uuid[], :partnerRooms::int[]) as taking (partner_id, room)
    on taking.partner_id = known.partner_id
  where known.partner_id is not null and coalesce(taking.room, :perPartner::int) > 0
  order by random()
), picked as (
  select due.id from waiting cross join lateral (
    with recursive destinations as (
      (select d.destination from delivery d
       where d.state = 'PENDING' and d.partner_id = waiting.partner_id order by d.destination limit 1)
      union all
      select (select d.destination from delivery d
              where d.state = 'PENDING' and d.partner_id = waiting.partner_id and d.destination > last.destination
              order by d.destination limit 1)
      from destinations last where last.destination is not null
    ), candidates as (
      select known.destination, coalesce(busy.room, :perDestination::int) as room
      from destinations known
      left join unnest(:busy::text[], :rooms::int[]) as busy (destination, room)
        on busy.destination = waiting.partner_id || ' ' || known.destination
      where known.destination is not null and coalesce(busy.room, :perDestination::int) > 0
      order by random()
    )
    select ready.id from candidates cross join lateral (
      select d.id from delivery d
      where d.state = 'PENDING' and d.partner_id = waiting.partner_id and d.destination = candidates.destination
        and ${dueRowLease.isFree}
      order by d.due_at limit candidates.room for update skip locked
    ) ready
    limit waiting.room
  ) due
  limit :limit
)
update delivery d set ${dueRowLease.take}
from picked where d.id = picked.id
returning d.id, d.request_id as "requestId", d.partner_id as "partnerId", d.type, d.url, d.partner_id || ' ' || d.destination as destination, ${isoSql('d.occurred_at')} as "occurredAt",
  d.traceparent, d.renewal_of as "renewalOf", d.code, d.body, d.mac, d.round_attempts as "roundAttempts", d.fence`,
});

/** Destination that the record of an attempt disabled. */
export interface DisabledDestination {
  readonly partnerId: string;
  readonly destination: string;
}

const recordColumns = [
  'id',
  'fence',
  'startedAt',
  'durationMs',
  'outcome',
  'status',
  'error',
  'answer',
  'state',
  'retryAfterMs',
] as const satisfies (keyof AttemptRecord)[];

const isFirstAcknowledged = `e.state = 'DELIVERED' and d.delivered_at is null`;

/**
 * Records attempts in one statement, so that the outcome, the next time and the effect on the destination commit
 * together. An attempt is recorded even if the fence has increased, because it did happen; the delivery then belongs to
 * another worker. The first acknowledged attempt is written into its delivery, any other gets its own row. A repeated
 * record, after an unknown outcome, duplicates neither.
 */
const recordAttempts = statement<
  ColumnMap<AttemptRecord, (typeof recordColumns)[number]> & DestinationParams,
  { id: string; partnerId: null } | ({ id: null } & DisabledDestination)
>({
  name: 'record-attempts',
  sql: `
with ended as (
  select * from unnest(:id::uuid[], :fence::int[], :startedAt::timestamptz[], :durationMs::int[], :outcome::text[],
    :status::int[], :error::text[], :answer::text[], :state::text[], :retryAfterMs::float8[])
    as e (id, fence, started_at, duration_ms, outcome, status, error, answer, state, retry_after_ms)
), updated as (
  update delivery d set
    state = e.state,
    due_at = ${nextDueAtSql},
    attempts = d.attempts + 1,
    round_attempts = d.round_attempts + 1,
    last_status = e.status,
    last_error = e.error,
    delivered_at = case when ${isFirstAcknowledged} then now() else d.delivered_at end,
    acknowledged_fence = case when ${isFirstAcknowledged} then e.fence else d.acknowledged_fence end,
    acknowledged_ms = case when ${isFirstAcknowledged} then e.duration_ms else d.acknowledged_ms end,
    acknowledged_status = case when ${isFirstAcknowledged} then e.status else d.acknowledged_status end,
    purge_at = case when e.state = 'DELIVERED' and d.has_bundle
      then least(d.purge_at, now() + interval '${bundleGraceHours} hours') else d.purge_at end
  from ended e where d.id = e.id and d.fence = e.fence
  returning d.id, d.acknowledged_fence
), logged as (
  insert into delivery_attempt (delivery_id, fence, started_at, duration_ms, outcome, status, error, answer)
  select e.id, e.fence, e.started_at, e.duration_ms, e.outcome, e.status, e.error, e.answer
  from ended e left join updated on updated.id = e.id left join delivery d on d.id = e.id
  where coalesce(updated.acknowledged_fence, d.acknowledged_fence) is distinct from e.fence
  on conflict do nothing
), ${destinationCtesSql}
select id, null as "partnerId", null as destination from updated
union all select null, partner_id, destination from disabled`,
});

const release = releaseDueRows('delivery');

export interface DeliveryStoreDeps extends DestinationParams {
  readonly database: Pick<Database, 'statement'>;
  onDisabled(destination: DisabledDestination): void;
}

export function createDeliveryStore(deps: DeliveryStoreDeps): Ledger<LeasedDelivery, AttemptRecord> {
  const { database, disableAfterHours, alertsOperator, onDisabled } = deps;
  return {
    /** Leases due deliveries, oldest first per destination. */
    leaseDue: (request: LeaseRequest): Promise<LeasedDelivery[]> =>
      leaseDue.run(database, { perDestination: request.perDestination, ...toLeaseParams(request) }),

    async record(records: readonly AttemptRecord[]): Promise<boolean[]> {
      const columns = toColumns(records, recordColumns);
      const rows = await recordAttempts.run(database, { ...columns, disableAfterHours, alertsOperator });
      const written = new Set(rows.map(({ id }) => id));
      for (const row of rows) if (row.id === null) onDisabled(row);
      return records.map(({ id }) => written.has(id));
    },

    async release(items) {
      // A delivery that was not stored has no lease to end.
      await Promise.allSettled(items.map(({ committed }) => committed));
      await release(database, items);
    },
  };
}
