import { quoteIdentifier } from '../connection/identifiers.ts';

const event =
  'jsonb_to_recordset(:outboxRows::jsonb) as event (message_id text, subject text, payload jsonb, headers jsonb)';

/**
 * Builds the insert of outbox rows, in their order; with `from` only if that has a row. Takes
 * `...outboxParams(events)`.
 */
export function outboxInsert(from?: string): string {
  const source = from === undefined ? event : `${quoteIdentifier(from)}, ${event}`;
  return `insert into outbox (message_id, subject, payload, headers)
    select event.message_id, event.subject, event.payload, event.headers from ${source}`;
}

/**
 * Builds the end of a statement that changes something and emits. Change and messages are one statement, so one
 * implicit transaction and one round trip. The statement `emits`; its parameters include `...outboxParams(events)`.
 * ```ts
 * const register = statement<{ id: string } & OutboxParams, { id: string }>({
 *   name: 'register-order',
 *   emits: true,
 *   sql: `with placed as (insert into orders (id) values (:id) on conflict do nothing returning id)
 *     ${emitting({ from: 'placed', gives: 'id' })}`,
 * });
 * ```
 * The ids of the rows are part of the result, where `takeEmitted` finds them: the relay gets from memory exactly the
 * rows that were inserted.
 * @param options.from a preceding CTE with one row, or none: then there is no message
 * @param options.gives result of the statement, as SQL over the columns of that CTE
 */
export function emitting({ from, gives }: { readonly from: string; readonly gives: string }): string {
  return `, emitted as (${outboxInsert(from)} returning id, message_id)
    select ${gives}, (select jsonb_object_agg(message_id, id::text) from emitted) as emitted
    from ${quoteIdentifier(from)}`;
}
