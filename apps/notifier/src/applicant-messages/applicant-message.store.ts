import type * as messagesContract from '@rubrica/contracts/services/schemas/applicant-messages';
import { type ColumnsOf, columnsOf, type Database, leaseOfDueRow, statement } from '@rubrica/database';
import type { Ledger } from '../send-queue/ledger.ts';
import { recordLetters, releaseDueRows } from '../store/due-rows.ts';
import type { SendingResult } from './sending-result.ts';

type Outgoing = messagesContract.OutgoingMessage;

/** A message whose next attempt belongs to this process until the lease ends. */
export interface LeasedApplicantMessage {
  readonly id: string;
  /** Null for one to an operator. */
  readonly requestId: string | null;
  /** The template: what room is shared out by. */
  readonly destination: string;
  readonly roundAttempts: number;
  readonly resends: number;
  readonly fence: number;
}

export interface NewApplicantMessage
  extends Pick<Outgoing, 'requestId' | 'channel' | 'template' | 'expiresAt'> {
  readonly id: string;
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
  'channel',
  'template',
  'recipientMasked',
  'expiresAt',
  'leaseMs',
] as const satisfies (keyof NewApplicantMessage)[];

const insert = statement<ColumnsOf<NewApplicantMessage, (typeof newColumns)[number]>, { id: string }>({
  name: 'insert-messages',
  sql: `
insert into message (id, request_id, channel, template, recipient_masked, expires_at, state, due_at, fence)
select id, request_id, channel, template, recipient_masked, expires_at, 'PENDING',
  now() + coalesce(lease_ms, 0) * interval '1 ms', case when lease_ms is null then 0 else 1 end
from unnest(:id::uuid[], :requestId::uuid[], :channel::text[], :template::text[], :recipientMasked::text[],
    :expiresAt::timestamptz[], :leaseMs::int[])
  as n (id, request_id, channel, template, recipient_masked, expires_at, lease_ms)
on conflict (id) do nothing
returning id`,
});

interface DueParams extends QueueShare {
  /** How many of each template, in their order. */
  readonly rooms: readonly number[];
  readonly limit: number;
  readonly leaseSeconds: number;
}

/**
 * Template by template, in random order, each over its own stretch of the index: a thousand reminders that are due
 * cost the others nothing. The messages of a process that died are due when its lease has ended.
 */
const leaseDue = statement<DueParams, LeasedApplicantMessage>({
  name: 'lease-due-messages',
  sql: `
with lanes as (
  select template, room from unnest(:templates::text[], :rooms::int[]) as l (template, room)
  where room > 0 order by random()
), picked as (
  select due.id from lanes cross join lateral (
    select m.id from message m
    where m.state = 'PENDING' and m.channel = :channel and m.template = lanes.template and ${leaseOfDueRow.isFree}
    order by m.due_at limit lanes.room for update skip locked
  ) due
  limit :limit
)
update message m set ${leaseOfDueRow.take}
from picked where m.id = picked.id
returning m.id, m.request_id as "requestId", m.template as destination, m.round_attempts as "roundAttempts",
  m.resends, m.fence`,
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

/** The part of the ledger that one queue works through. */
export function createApplicantMessageStore(
  database: Pick<Database, 'statement'>,
  { channel, templates }: QueueShare,
): Ledger<LeasedApplicantMessage, ApplicantMessageRecord> {
  return {
    leaseDue({ limit, perDestination, left, leaseMs }) {
      const busy = new Map(left.map((entry) => [entry.destination, entry.left]));
      const rooms = templates.map((template) => busy.get(template) ?? perDestination);
      return leaseDue.run(database, { channel, templates, rooms, limit, leaseSeconds: leaseMs / 1_000 });
    },
    record: (records) => record(database, records),
    release: (items) => release(database, items),
  };
}
