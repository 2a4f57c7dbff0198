import type { WebhookEventType } from '@rubrica/contracts/rest/webhooks';
import type { ErrorCode } from '@rubrica/contracts/shared/errors';
import {
  type ColumnsOf,
  columnsOf,
  type Database,
  leaseOfDueRow,
  type Sealed,
  statement,
} from '@rubrica/database';
import { type DestinationParams, destinationCtes } from '../destinations/destination-sql.ts';
import type { Outcome } from '../dialer/outcome.ts';
import { type LeaseRequest, type Ledger, toLeaseParams } from '../send-queue/ledger.ts';
import { nextDueAt, releaseDueRows } from '../store/due-rows.ts';
import { iso } from '../store/instants.ts';

/** A delivery whose next attempt belongs to this process until the lease ends. */
export interface LeasedDelivery {
  readonly id: string;
  readonly requestId: string;
  readonly partnerId: string;
  readonly type: WebhookEventType;
  readonly url: string;
  /** Its lane (`laneOf`). */
  readonly destination: string;
  readonly occurredAt: string;
  readonly traceparent: string | null;
  /** Reference of the request that its request renews. */
  readonly renewalOf: string | null;
  /** Code of the fault, of an error or a refusal. */
  readonly code: ErrorCode | null;
  /** Null once purged. */
  readonly body: Sealed | null;
  /** Over all of it that is sent; null where the release before has stored it. */
  readonly mac: string | null;
  /** Attempts of this round that came to an end before this one. */
  readonly roundAttempts: number;
  readonly fence: number;
  /** Where its row is being stored: nothing is written about it before. Rejects where it was not. */
  readonly committed?: Promise<void>;
}

/** What one attempt leaves in the ledger and does to its delivery. */
export interface AttemptRecord {
  readonly id: string;
  readonly fence: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly outcome: Outcome;
  readonly status: number | null;
  readonly error: string | null;
  /** How the receiver's answer begins, cleaned; of attempts that were not acknowledged. */
  readonly answer: string | null;
  readonly state: 'PENDING' | 'DELIVERED' | 'EXHAUSTED' | 'STOPPED';
  /** From the end of the attempt; null unless pending. */
  readonly retryAfterMs: number | null;
  /** From the event to the end of this attempt, where it was acknowledged; not stored. */
  readonly delivered?: { readonly seconds: number; readonly attempt: 'first' | 'later' };
}

/** A bundle must not outlive its acknowledgement by more than this. */
const bundleGraceHours = 24;

interface DueParams {
  readonly perDestination: number;
  /** In use, with the room that is left for each. */
  readonly busy: readonly string[];
  readonly rooms: readonly number[];
  readonly perPartner: number;
  /** Partners with work in hand, with the room that is left for each. */
  readonly taking: readonly string[];
  readonly partnerRooms: readonly number[];
  readonly limit: number;
  readonly leaseSeconds: number;
}

/**
 * Walks from partner to partner, and from destination to destination of each, over the index (loose index scans), so that
 * neither ten thousand deliveries due at one receiver nor ten thousand receivers of one partner cost the others
 * anything; the orders are random, so that none comes last each time. Partners and destinations without room are not looked at. The
 * deliveries of a process that died are due when its lease has ended, without a sweep.
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
        and ${leaseOfDueRow.isFree}
      order by d.due_at limit candidates.room for update skip locked
    ) ready
    limit waiting.room
  ) due
  limit :limit
)
update delivery d set ${leaseOfDueRow.take}
from picked where d.id = picked.id
returning d.id, d.request_id as "requestId", d.partner_id as "partnerId", d.type, d.url, d.partner_id || ' ' || d.destination as destination, ${iso('d.occurred_at')} as "occurredAt",
  d.traceparent, d.renewal_of as "renewalOf", d.code, d.body, d.mac, d.round_attempts as "roundAttempts", d.fence`,
});

/** A destination that the record of an attempt has disabled. */
export interface DisabledDestination {
  readonly partnerId: string;
  readonly destination: string;
}

const endedColumns = [
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
 * One statement, so that an attempt's outcome, the next time and what both mean for the destination commit together.
 * The attempt is recorded even when the fence has moved on, because it did take place; the delivery then belongs to
 * another worker. The first that was acknowledged is written into the delivery it ends, and any other has a row of its
 * own; a record that is repeated, as nobody knows whether it was written, leaves neither twice.
 */
const recordEnded = statement<
  ColumnsOf<AttemptRecord, (typeof endedColumns)[number]> & DestinationParams,
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
    due_at = ${nextDueAt},
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
), ${destinationCtes}
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
    /** Takes what is due, oldest first per destination. */
    leaseDue: (request: LeaseRequest): Promise<LeasedDelivery[]> =>
      leaseDue.run(database, { perDestination: request.perDestination, ...toLeaseParams(request) }),

    async record(records: readonly AttemptRecord[]): Promise<boolean[]> {
      const ended = columnsOf(records, endedColumns);
      const rows = await recordEnded.run(database, { ...ended, disableAfterHours, alertsOperator });
      const written = new Set(rows.map(({ id }) => id));
      for (const row of rows) if (row.id === null) onDisabled(row);
      return records.map(({ id }) => written.has(id));
    },

    async release(items) {
      // One that was not stored after all has no lease to end.
      await Promise.allSettled(items.map(({ committed }) => committed));
      await release(database, items);
    },
  };
}
