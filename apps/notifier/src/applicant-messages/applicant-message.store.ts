import type * as messagesContract from '@rubrica/contracts/services/schemas/applicant-messages';
import { type ColumnsOf, columnsOf, type Database, leaseOfDueRow, statement } from '@rubrica/database';
import { type Ledger, toLeaseParams } from '../send-queue/ledger.ts';
import { recordLetters, releaseDueRows } from '../store/due-rows.ts';
import { noPartner } from './message-lane.ts';
import { expiredError, type SendingResult } from './sending-result.ts';

type Outgoing = messagesContract.OutgoingMessage;

/** A message whose next attempt belongs to this process until the lease ends. */
export interface LeasedApplicantMessage {
  readonly id: string;
  /** Null for one to an operator. */
  readonly requestId: string | null;
  /** Its lane (`toLane`). */
  readonly destination: string;
  /** Partner that its room is counted for. */
  readonly partnerId: string;
  readonly roundAttempts: number;
  readonly resends: number;
  readonly fence: number;
}

export interface NewApplicantMessage
  extends Pick<Outgoing, 'requestId' | 'channel' | 'template' | 'expiresAt'> {
  readonly id: string;
  /** Null for one to an operator. */
  readonly partnerId: string | null;
  readonly recipientMasked: string;
  /** The storing process makes the first attempt itself, at once, within this time; null: the next to lease it does. */
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

const insert = statement<ColumnsOf<NewApplicantMessage, (typeof newColumns)[number]>, { id: string }>({
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

/** Most that one lease drops, so that it stays short. */
const maxDrops = 1_000;

interface DueParams extends QueueShare {
  readonly perLane: number;
  /** Lanes in use, with the room that is left for each. */
  readonly busy: readonly string[];
  readonly rooms: readonly number[];
  readonly perPartner: number;
  /** Partners with work in hand, with the room that is left for each. */
  readonly taking: readonly string[];
  readonly partnerRooms: readonly number[];
  readonly limit: number;
  readonly leaseSeconds: number;
}

/** Partner of a row as lanes name it; the expression of the index `message_due_by_partner`. */
const lanePartner = `coalesce(m.partner_id, '${noPartner}'::uuid)`;

/**
 * Walks from partner to partner over the index (loose index scan), and from template to template of each: a thousand
 * messages of one partner delay no other partner, and a thousand reminders delay no claim mail of the same one. The
 * orders are random, so that none comes last each time. The messages of a process that died are due when its lease ends.
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
        and m.template = lanes.template and ${leaseOfDueRow.isFree}
      order by m.due_at limit lanes.room for update skip locked
    ) ready
    limit waiting.room
  ) due
  limit :limit
)
update message m set ${leaseOfDueRow.take}
from picked where m.id = picked.id
returning m.id, m.request_id as "requestId", ${lanePartner} as "partnerId",
  ${lanePartner} || ' ' || m.template as destination, m.round_attempts as "roundAttempts", m.resends, m.fence`,
});

interface EndingParams extends QueueShare {
  readonly endsWithinMs: number;
  readonly error: string;
}

type DroppedMessage = Pick<LeasedApplicantMessage, 'id' | 'fence'>;

/** The fence moves on: a worker whose lease has ended does not write over the outcome. */
const dropEnding = statement<EndingParams, DroppedMessage>({
  name: 'drop-ending-messages',
  sql: `
with ending as (
  select m.id from message m
  where m.state = 'PENDING' and m.channel = :channel and m.template = any(:templates::text[])
    and m.expires_at <= now() + :endsWithinMs::float8 * interval '1 ms' and ${leaseOfDueRow.isFree}
  limit ${maxDrops} for update skip locked
)
update message m set state = 'SUPERSEDED', due_at = null, last_error = :error, fence = m.fence + 1
from ending where m.id = ending.id
returning m.id, m.fence`,
});

const record = recordLetters('message');
const release = releaseDueRows('message');

/** @returns a writer that stores messages in one statement and says per message whether it was new */
export function createApplicantMessageInsert(database: Pick<Database, 'statement'>) {
  return async (messages: readonly NewApplicantMessage[]): Promise<boolean[]> => {
    const rows = await insert.run(database, columnsOf(messages, newColumns));
    const stored = new Set(rows.map(({ id }) => id));
    return messages.map(({ id }) => stored.delete(id));
  };
}

export interface QueueShare {
  readonly channel: Outgoing['channel'];
  readonly templates: readonly Outgoing['template'][];
}

export interface ApplicantMessageStoreDeps extends QueueShare {
  readonly database: Pick<Database, 'statement'>;
  /** Messages that end within this time are dropped at the lease; undefined where ends may still be moved. */
  readonly endsWithinMs?: number | undefined;
  /** Receives the record of a message that was dropped. */
  onDropped?(record: ApplicantMessageRecord): void;
}

/** The part of the ledger that one queue works through. */
export function createApplicantMessageStore(
  deps: ApplicantMessageStoreDeps,
): Ledger<LeasedApplicantMessage, ApplicantMessageRecord> {
  const { database, channel, templates, endsWithinMs, onDropped } = deps;
  return {
    async leaseDue(request) {
      if (endsWithinMs !== undefined) {
        const error = expiredError;
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
  const ended = { outcome: 'SUPERSEDED', state: 'SUPERSEDED', error: expiredError } as const;
  return { id, fence, durationMs: 0, ...ended, retryAfterMs: null };
}
