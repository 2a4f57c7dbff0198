import type * as messagesContract from '@rubrica/contracts/services/schemas/notices';
import type { Database } from '@rubrica/database';
import type { Ledger } from '../send-queue/ledger.ts';
import type { SendingResult } from './sending-result.ts';

type Outgoing = messagesContract.OutgoingMessage;

/** A message whose next attempt belongs to this process until the lease ends. */
export interface LeasedApplicantMessage {
  readonly id: string;
  readonly requestId: string;
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

const insertSql = `
insert into message (id, request_id, channel, template, recipient_masked, expires_at, state, due_at, fence)
select id, request_id, channel, template, recipient_masked, expires_at, 'PENDING',
  now() + coalesce(lease_ms, 0) * interval '1 ms', case when lease_ms is null then 0 else 1 end
from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::int[])
  as n (id, request_id, channel, template, recipient_masked, expires_at, lease_ms)
on conflict (id) do nothing
returning id`;

/**
 * Template by template, in random order, each over its own stretch of the index: a thousand reminders that are due
 * cost the others nothing. `due_at` of what is leased moves to the lease's end, so the messages of a process that
 * died are leased again.
 */
const leaseSql = `
with lanes as (
  select template, room from unnest($2::text[], $3::int[]) as l (template, room) where room > 0 order by random()
), picked as (
  select due.id from lanes cross join lateral (
    select m.id from message m
    where m.state = 'PENDING' and m.channel = $1 and m.template = lanes.template and m.due_at <= now()
    order by m.due_at limit lanes.room for update skip locked
  ) due
  limit $4
)
update message m set due_at = now() + $5::int * interval '1 ms', fence = fence + 1
from picked where m.id = picked.id
returning m.id, m.request_id as "requestId", m.template as destination, m.round_attempts as "roundAttempts", m.resends, m.fence`;

/** One statement, so that an attempt's outcome and the next time commit together. */
const recordSql = `
update message m set
  state = e.state,
  due_at = case when e.state = 'PENDING' then now() + e.retry_after_ms * interval '1 ms' end,
  attempts = m.attempts + 1,
  round_attempts = m.round_attempts + 1,
  last_error = e.error,
  sent_at = case when e.state = 'SENT' then now() else m.sent_at end
from unnest($1::uuid[], $2::int[], $3::text[], $4::text[], $5::float8[])
  as e (id, fence, error, state, retry_after_ms)
where m.id = e.id and m.fence = e.fence
returning m.id`;

const releaseSql = `
update message m set due_at = now() from unnest($1::uuid[], $2::int[]) as r (id, fence)
where m.id = r.id and m.fence = r.fence and m.state = 'PENDING'`;

/** @returns a writer that stores messages in one statement and says per message whether it was new */
export function createApplicantMessageInsert(database: Pick<Database, 'statement'>) {
  return async (messages: readonly NewApplicantMessage[]): Promise<boolean[]> => {
    const column = <Key extends keyof NewApplicantMessage>(key: Key) =>
      messages.map((message) => message[key]);
    const rows = await database.statement<{ id: string }>({
      name: 'insert-messages',
      text: insertSql,
      params: [
        column('id'),
        column('requestId'),
        column('channel'),
        column('template'),
        column('recipientMasked'),
        column('expiresAt'),
        column('leaseMs'),
      ],
    });
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
      return database.statement<LeasedApplicantMessage>({
        name: 'lease-due-messages',
        text: leaseSql,
        params: [channel, templates, rooms, limit, leaseMs],
      });
    },
    async record(records) {
      const column = <Key extends keyof ApplicantMessageRecord>(key: Key) =>
        records.map((record) => record[key]);
      const rows = await database.statement<{ id: string }>({
        name: 'record-messages',
        text: recordSql,
        params: [column('id'), column('fence'), column('error'), column('state'), column('retryAfterMs')],
      });
      const written = new Set(rows.map(({ id }) => id));
      return records.map(({ id }) => written.has(id));
    },
    async release(items) {
      await database.statement({
        name: 'release-messages',
        text: releaseSql,
        params: [items.map(({ id }) => id), items.map(({ fence }) => fence)],
      });
    },
  };
}
