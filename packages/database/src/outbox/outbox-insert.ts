import { quoteIdentifier } from '../connection/identifiers.ts';

/**
 * The outbox insert as a piece of a larger statement, so that a business row and its message are one statement:
 * one implicit transaction, one round trip. Bind `...outboxValues(event)` from `$<firstParam>` on and run it
 * with `database.statement({..., emits: true})`.
 * ```ts
 * const text = `with request as (insert into requests (...) values ($1, $2) on conflict do nothing returning id),
 *   event as (${outboxInsert({ firstParam: 3, from: 'request' })})
 *   select id from request`;
 * ```
 * @param options.from a CTE before it: no message when that gave no row. Must give at most one.
 */
export function outboxInsert(options: { firstParam: number; from?: string }): string {
  const [id, subject, payload, headers] = [0, 1, 2, 3].map((offset) => `$${options.firstParam + offset}`);
  const source = options.from === undefined ? '' : ` from ${quoteIdentifier(options.from)}`;
  return (
    'insert into outbox (message_id, subject, payload, headers) ' +
    `select ${id}::text, ${subject}::text, ${payload}::jsonb, ${headers}::jsonb${source}`
  );
}
