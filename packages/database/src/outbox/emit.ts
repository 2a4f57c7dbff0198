import type { EntityManager } from '@mikro-orm/postgresql';
import { TransactionRequired } from '../connection/errors.ts';
import { runnerOf } from '../connection/sql-runner.ts';
import { noteEmitted } from '../connection/transaction-scope.ts';
import { type OutboxEvent, outboxValues } from './outbox-event.ts';

const insertEvents = `
insert into outbox (message_id, subject, payload, headers)
select message_id, subject, payload::jsonb, headers::jsonb
from unnest($1::text[], $2::text[], $3::text[], $4::text[])
  with ordinality as event (message_id, subject, payload, headers, position)
order by position`;

/**
 * Writes events to the outbox, in order and in one statement, as part of the transaction of `em`: published
 * if and only if it commits.
 * @throws TransactionRequired outside a transaction: state and message must commit together.
 * @throws InvalidOutboxEvent for a bad subject or id, or a payload over 4,096 bytes.
 */
export async function emit(em: EntityManager, events: OutboxEvent | readonly OutboxEvent[]): Promise<void> {
  if (!em.isInTransaction()) throw new TransactionRequired('emit');
  const rows = [events].flat().map(outboxValues);
  if (rows.length === 0) return;
  const columns = [0, 1, 2, 3].map((index) => rows.map((row) => row[index]));
  await runnerOf(em).execute(insertEvents, columns);
  noteEmitted(em.config.get('contextName'));
}
