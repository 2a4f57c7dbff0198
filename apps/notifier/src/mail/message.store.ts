import type { messagesContract } from '@rubrica/contracts';
import type { Database } from '@rubrica/database';
import type { Ledger } from '../engine/engine.ts';

/** A message whose next attempt belongs to this process until the lease ends. */
export type ClaimedMessage = {
  id: string;
  /** The channel: what concurrency is bounded by. */
  destination: string;
  roundAttempts: number;
  fence: number;
};

export type NewMessage = {
  id: string;
  requestId: string;
  template: messagesContract.OutgoingMessage['template'];
  recipientMasked: string;
  /** The storing process makes the first attempt itself, at once. */
  claimed: boolean;
};

export type MessageRecord = {
  id: string;
  fence: number;
  durationMs: number;
  outcome: 'SENT' | 'REFUSED' | 'UNAVAILABLE' | 'NOT_PREPARED' | 'SUPERSEDED';
  error: string | null;
  state: 'PENDING' | 'SENT' | 'FAILED' | 'SUPERSEDED';
  retryAfterMs: number | null;
};

const insertSql = `
insert into message (id, request_id, channel, template, recipient_masked, state, due_at, fence)
select id, request_id, 'email', template, recipient_masked, 'PENDING',
  case when claimed then now() + $6::int * interval '1 ms' else now() end, case when claimed then 1 else 0 end
from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::boolean[])
  as n (id, request_id, template, recipient_masked, claimed)
on conflict (id) do nothing
returning id`;

const claimSql = `
update message m set due_at = now() + $2::int * interval '1 ms', fence = fence + 1
where id in (
  select id from message where state = 'PENDING' and due_at <= now()
  order by due_at limit $1 for update skip locked
)
returning m.id, m.channel as destination, m.round_attempts as "roundAttempts", m.fence`;

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
export function createMessageInsert({
  database,
  leaseMs,
}: {
  database: Pick<Database, 'statement'>;
  leaseMs: number;
}) {
  return async (messages: readonly NewMessage[]): Promise<boolean[]> => {
    const column = <Key extends keyof NewMessage>(key: Key) => messages.map((message) => message[key]);
    const rows = await database.statement<{ id: string }>({
      name: 'insert-messages',
      text: insertSql,
      params: [
        column('id'),
        column('requestId'),
        column('template'),
        column('recipientMasked'),
        column('claimed'),
        leaseMs,
      ],
    });
    const stored = new Set(rows.map(({ id }) => id));
    return messages.map(({ id }) => stored.delete(id));
  };
}

export function createMessageStore(
  database: Pick<Database, 'statement'>,
): Ledger<ClaimedMessage, MessageRecord> {
  return {
    claimDue: ({ limit, leaseMs }) =>
      database.statement<ClaimedMessage>({
        name: 'claim-due-messages',
        text: claimSql,
        params: [limit, leaseMs],
      }),
    async record(records) {
      const column = <Key extends keyof MessageRecord>(key: Key) => records.map((record) => record[key]);
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
