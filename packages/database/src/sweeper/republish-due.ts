import { quoteIdentifier } from '../connection/identifiers.ts';
import type { SweeperTask } from './sweeper.ts';

export interface RepublishDue {
  readonly name: string;
  /** Table with `due_at timestamptz not null` and `publish_count integer not null default 0`. */
  readonly table: string;
  readonly key?: string;
  /** SQL condition for rows that are not final, for example `state in ('VALIDATING', 'ISSUING')`. */
  readonly unfinished: string;
  /** SQL for the subject, over the table's columns: `'jobs.webhook.deliver'` in quotes, or a `case`. */
  readonly subject: string;
  /** SQL for the payload, over the table's columns: `jsonb_build_object('deliveryId', id)`. */
  readonly payload: string;
  /** SQL for the message id of the first publication; the publish count is added to it. */
  readonly messageId: string;
  /** Time after which a republished row is due again, unless its worker moves `due_at` earlier. */
  readonly againAfterSeconds: number;
}

const batchRows = 500;

/**
 * Creates a task that publishes again the message of every row that is not final and is due, so that nothing is ever
 * stuck. The publish count is part of the message id: under the old one JetStream would drop it. If rows are leased as
 * well, include `lease.isFree` in `unfinished`. Index `due_at` where the row is unfinished.
 */
export function republishDue(options: RepublishDue): SweeperTask {
  const table = quoteIdentifier(options.table);
  const key = quoteIdentifier(options.key ?? 'id');
  return {
    name: options.name,
    emits: true,
    batchRows,
    params: [options.againAfterSeconds],
    text: `
      with chosen as materialized (
        select ${key} as chosen_key from ${table} where due_at <= now() and (${options.unfinished})
        order by due_at limit ${batchRows} for update skip locked
      ), due as (
        update ${table} set publish_count = publish_count + 1, due_at = now() + make_interval(secs => $1::float8)
        where ${key} in (select chosen_key from chosen)
        returning *
      )
      insert into outbox (message_id, subject, payload)
      select (${options.messageId}) || '.' || publish_count, ${options.subject}, ${options.payload}
      from due
      returning 1`,
  };
}
