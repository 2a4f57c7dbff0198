import type { Database } from '../../src/connection/index.ts';
import { emitting, type OutboxParams, outboxParams } from '../../src/outbox/index.ts';
import { statement } from '../../src/statement/index.ts';

/** `number` is compared when the transaction commits, not before. */
export const ordersSql = `create table orders (id text primary key,
  number int constraint orders_number_key unique deferrable initially deferred);`;

type Order = { readonly id: string; readonly number: number | null } & OutboxParams;

const sql = `with placed as (insert into orders (id, number) values (:id, :number) on conflict (id) do nothing returning id)
  ${emitting({ from: 'placed', gives: 'id' })}`;
export const placeOrder = statement<Order, { id: string }>({ name: 'place-order', emits: true, sql });
const placeTogether = statement<Order>({ name: 'place-together', emits: true, groupCommit: true, sql });

/** What an order is placed with, and the message about it. */
export function order(
  id: string,
  { number = null as number | null, messageIds = [`pack-${id}`] } = {},
): Order {
  const events = messageIds.map((messageId) => ({
    subject: 'jobs.order.pack',
    id: messageId,
    payload: { id },
  }));
  return { id, number, ...outboxParams(...events) };
}

export const fieldPath = (database: Database, given: Order) => placeOrder.run(database, given);
export const placeInGroup = (database: Database, given: Order) => placeTogether.run(database, given);
