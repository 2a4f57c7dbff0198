import { quoteIdentifier } from '../connection/identifiers.ts';
import type { OutboxParams } from './outbox-event.ts';

const names = ['messageId', 'subject', 'payload', 'headers'] as const satisfies (keyof OutboxParams)[];

/**
 * The outbox insert as a piece of a larger statement, so that a business row and its message are one statement:
 * one implicit transaction, one round trip. The statement `emits`; its parameters take `...outboxParams(event)`.
 * ```ts
 * const register = statement<{ id: string } & OutboxParams>({
 *   name: 'register-order',
 *   emits: true,
 *   sql: `with placed as (insert into orders (id) values (:id) on conflict do nothing returning id),
 *     event as (${outboxInsert({ from: 'placed' })}) select id from placed`,
 * });
 * ```
 * @param options.firstParam for a text made of numbered parameters: `...outboxValues(event)` from there on
 * @param options.from a CTE before it: no message when that gave no row. Must give at most one.
 */
export function outboxInsert({ firstParam, from }: { firstParam?: number; from?: string }): string {
  const [id, subject, payload, headers] = names.map((name, offset) =>
    firstParam === undefined ? `:${name}` : `$${firstParam + offset}`,
  );
  const source = from === undefined ? '' : ` from ${quoteIdentifier(from)}`;
  return (
    'insert into outbox (message_id, subject, payload, headers) ' +
    `select ${id}::text, ${subject}::text, ${payload}::jsonb, ${headers}::jsonb${source}`
  );
}
