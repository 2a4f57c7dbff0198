import type { EntityManager } from '@mikro-orm/postgresql';
import { TransactionRequired } from '../connection/errors.ts';
import { statement } from '../statement/statement.ts';
import { type OutboxEvent, type OutboxParams, outboxParams } from './outbox-event.ts';
import { outboxInsert } from './outbox-insert.ts';

const insertEvents = statement<OutboxParams>({ name: 'emit', emits: true, sql: outboxInsert() });

/**
 * Writes events to the outbox, in order and in one statement, in the transaction of `em`: they are published if and
 * only if it commits.
 * @throws TransactionRequired outside a transaction: state and message must commit together
 * @throws InvalidOutboxEvent for a bad subject or id, or a payload over 4,096 bytes
 */
export async function emit(em: EntityManager, events: OutboxEvent | readonly OutboxEvent[]): Promise<void> {
  if (!em.isInTransaction()) throw new TransactionRequired('emit');
  const all = [events].flat();
  if (all.length > 0) await insertEvents.run(em, outboxParams(...all));
}
