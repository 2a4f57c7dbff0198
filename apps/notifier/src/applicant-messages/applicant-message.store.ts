import type * as messagesContract from '@rubrica/contracts/services/schemas/applicant-messages';
import type { Database } from '@rubrica/database/connection';
import { dueRowLease } from '@rubrica/database/lease';
import { type ColumnMap, statement, toColumns } from '@rubrica/database/statement';
import { type Ledger, toLeaseParams } from '../send-queue/ledger.ts';
import { recordLetters, releaseDueRows } from '../store/due-rows.ts';
import { noPartnerId } from './message-lane.ts';
import { messageExpiredError, type SendingResult } from './sending-result.ts';

type Outgoing = messagesContract.OutgoingMessage;

/** Message whose next attempt belongs to this process until the lease ends. */
export interface LeasedApplicantMessage {
  readonly id: string;
  /** Null for a message to an operator. */
  readonly requestId: string | null;
  /** Its lane (`toLane`). */
  readonly destination: string;
  /** Partner whose limit counts it. */
  readonly partnerId: string;
  readonly roundAttempts: number;
  readonly resends: number;
  readonly fence: number;
}

export interface NewApplicantMessage
  extends Pick<Outgoing, 'requestId' | 'channel' | 'template' | 'expiresAt'> {
  readonly id: string;
  /** Null for a message to an operator. */
  readonly partnerId: string | null;
  readonly recipientMasked: string;
  /** Lease of the storing process, which makes the first attempt immediately; null leaves it to the next lease. */
  readonly leaseMs: number | null;
}

export interface ApplicantMessageRecord {
  readonly id: string;
  readonly fence: number;
  readonly durationMs: number;
  readonly outcome: SendingResult['outcome'];
  readonly error: string | null;
  readonly state: 'PENDING' | 'SENT' | 'FAILED' | 'SUPERSEDED';
  readonly retryAfterMs: number | null;
}

const newColumns = [
  'id',
  'requestId',
  'partnerId',
  'channel',
  'template',
  'recipientMasked',
  'expiresAt',
  'leaseMs',
] as const satisfies (keyof NewApplicantMessage)[];

const insert = statement<ColumnMap<NewApplicantMessage, (typeof newColumns)[number]>, { id: string }>({
  name: 'insert-messages',
  sql: `
insert into message (id, request_id, partner_id, channel, template, recipient_masked, expires_at, state, due_at, fence)
select id, request_id, partner_id, channel, template, recipient_masked, expires_at, 'PENDING',
  now() + coalesce(lease_ms, 0) * interval '1 ms', case when lease_ms is null then 0 else 1 end
from unnest(:id::uuid[], :requestId::uuid[], :partnerId::uuid[], :channel::text[], :template::text[],
    :recipientMasked::text[], :expiresAt::timestamptz[], :leaseMs::int[])
  as n (id, request_id, partner_id, channel, template, recipient_masked, expires_at, lease_ms)
on conflict (id) do nothing
returning id`,
});

/** Maximum number of messages that one lease drops, so that it stays short. */
const maxDrops = 1_000;

interface DueParams extends QueueScope {
  readonly perLane: number;
  /** Lanes in use, with their remaining capacity in `rooms`. */
  readonly busy: readonly string[];
  readonly rooms: readonly number[];
  readonly perPartner: number;
  /** Partners with leased work, with their remaining capacity in `partnerRooms`. */
  readonly taking: readonly string[];
  readonly partnerRooms: readonly number[];
  readonly limit: number;
  readonly leaseSeconds: number;
}

/** Partner of a row in lane names; the same expression as in the index `message_due_by_partner`. */
const lanePartner = `coalesce(m.partner_id, '${noPartnerId}'::uuid)`;

/**
 * Leases due messages. Walks from partner to partner over the index (loose index scan), and from template to template
 * of each. So a thousand messages of one partner delay no other partner, and a thousand reminders delay no claim mail
 * of the same partner. The orders are random, so that none always comes last. The messages of a crashed process are due
 * when its lease ends.
 */
const leaseDue = statement<DueParams, LeasedApplicantMessage>({
  name: 'lease-due-messages',
  sql: `
with recursive partners as (
  (select ${lanePartner} as partner from message m
   where m.state = 'PENDING' and m.channel = :channel order by ${lanePartner} limit 1)
  union all
  select (select ${lanePartner} from message m
          where m.state = 'PENDING' and m.channel = :channel and ${lanePartner} > last.partner
          order by ${lanePartner} limit 1)
  from partners last where last.partner is not null
), waiting as (
  select known.partner, coalesce(taking.room, :perPartner::int) as room
  from partners known
  left join unnest(:taking::uuid[], :partnerRooms::int[]) as taking (partner, room) on taking.partner = known.partner
  where known.partner is not null and coalesce(taking.room, :perPartner::int) > 0
  order by random()
), picked as (
  select due.id from waiting cross join lateral (
    with lanes as (
      select known.template, coalesce(busy.room, :perLane::int) as room
      from unnest(:templates::text[]) as known (template)
      left join unnest(:busy::text[], :rooms::int[]) as busy (lane, room)
        on busy.lane = waiting.partner || ' ' || known.template
      where coalesce(busy.room, :perLane::int) > 0
      order by random()
    )
    select ready.id from lanes cross join lateral (
      select m.id from message m
      where m.state = 'PENDING' and m.channel = :channel and ${lanePartner} = waiting.partner
        and m.template = lanes.template and ${dueRowLease.isFree}
      order by m.due_at limit lanes.room for update skip locked
    ) ready
    limit waiting.room
  ) due
  limit :limit
)
update message m set ${dueRowLease.take}
from picked where m.id = picked.id
returning m.id, m.request_id as "requestId", ${lanePartner} as "partnerId",
  ${lanePartner} || ' ' || m.template as destination, m.round_attempts as "roundAttempts", m.resends, m.fence`,
});

interface EndingParams extends QueueScope {
  readonly endsWithinMs: number;
  readonly error: string;
}

type DroppedMessage = Pick<LeasedApplicantMessage, 'id' | 'fence'>;

/**
 * Drops messages that expire soon. The fence increases, so that a worker with an expired lease does not overwrite the
 * outcome.
 */
const dropEnding = statement<EndingParams, DroppedMessage>({
  name: 'drop-ending-messages',
  sql: `
with ending as (
  select m.id from message m
  where m.state = 'PENDING' and m.channel = :channel and m.template = any(:templates::text[])
    and m.expires_at <= now() + :endsWithinMs::float8 * interval '1 ms' and ${dueRowLease.isFree}
  limit ${maxDrops} for update skip locked
)
update message m set state = 'SUPERSEDED', due_at = null, last_error = :error, fence = m.fence + 1
from ending where m.id = ending.id
returning m.id, m.fence`,
});

const record = recordLetters('message');
const release = releaseDueRows('message');

/**
 * Creates a writer that stores messages in one statement.
 * @returns writer that says for each message whether it was new
 */
export function createApplicantMessageInsert(database: Pick<Database, 'statement'>) {
  return async (messages: readonly NewApplicantMessage[]): Promise<boolean[]> => {
    const rows = await insert.run(database, toColumns(messages, newColumns));
    const stored = new Set(rows.map(({ id }) => id));
    return messages.map(({ id }) => stored.delete(id));
  };
}

export interface QueueScope {
  readonly channel: Outgoing['channel'];
  readonly templates: readonly Outgoing['template'][];
}

export interface ApplicantMessageStoreDeps extends QueueScope {
  readonly database: Pick<Database, 'statement'>;
  /** Messages that expire within this time are dropped at the lease; undefined where expiries may still change. */
  readonly endsWithinMs?: number | undefined;
  /** Receives the record of a dropped message. */
  onDropped?(record: ApplicantMessageRecord): void;
}

/** Creates the store for the messages of one queue. */
export function createApplicantMessageStore(
  deps: ApplicantMessageStoreDeps,
): Ledger<LeasedApplicantMessage, ApplicantMessageRecord> {
  const { database, channel, templates, endsWithinMs, onDropped } = deps;
  return {
    async leaseDue(request) {
      if (endsWithinMs !== undefined) {
        const error = messageExpiredError;
        const dropped = await dropEnding.run(database, { channel, templates, endsWithinMs, error });
        for (const message of dropped) onDropped?.(toDroppedRecord(message));
      }
      return leaseDue.run(database, {
        channel,
        templates,
        perLane: request.perDestination,
        ...toLeaseParams(request),
      });
    },
    record: (records) => record(database, records),
    release: (items) => release(database, items),
  };
}

function toDroppedRecord({ id, fence }: DroppedMessage): ApplicantMessageRecord {
  const result = { outcome: 'SUPERSEDED', state: 'SUPERSEDED', error: messageExpiredError } as const;
  return { id, fence, durationMs: 0, ...result, retryAfterMs: null };
}
