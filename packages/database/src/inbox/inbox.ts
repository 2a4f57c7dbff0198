import type { EntityManager } from '@mikro-orm/postgresql';
import { TransactionRequired } from '../connection/errors.ts';
import { runnerOf } from '../connection/sql-runner.ts';

/**
 * The inbox table, for a service's first migration. Never edit: it is part of migrations that have run. The
 * second index serves the purge.
 */
export const inboxSql = `
create table inbox (
  consumer text not null,
  message_id text not null,
  received_at timestamptz not null default now(),
  primary key (consumer, message_id)
);
create index inbox_received_at on inbox (received_at);
`;

/**
 * Records a message as handled, in the transaction of its effect. While another transaction handles the same
 * message this waits for its end.
 * @returns true when the message is new; false when its effect is already committed: acknowledge and do nothing.
 * @throws TransactionRequired outside a transaction.
 */
export async function inbox(
  em: EntityManager,
  message: { consumer: string; messageId: string },
): Promise<boolean> {
  if (!em.isInTransaction()) throw new TransactionRequired('inbox');
  const rows = await runnerOf(em).execute(
    'insert into inbox (consumer, message_id) values ($1, $2) on conflict do nothing returning 1',
    [message.consumer, message.messageId],
  );
  return rows.length === 1;
}
