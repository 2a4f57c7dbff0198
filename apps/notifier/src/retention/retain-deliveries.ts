import type { Database } from '@rubrica/database/connection';
import { type DecidedParams, decidedColumns, decidedRetentionSql } from '@rubrica/database/retention';
import { statement, toColumns } from '@rubrica/database/statement';
import type { UseCase } from '@rubrica/wiring';

/**
 * The path of a receiver's address may name a request, so only scheme, host and port are kept. Errors are deleted
 * because a mail server's answer quotes the recipient, and receivers' answers because they may quote the body.
 */
const retain = statement<DecidedParams>({
  name: 'retain-deliveries',
  sql: `
with ${decidedRetentionSql}, ended_early as (
  update delivery as d set purge_at = d.purge_at - a.age,
    body = case when d.purge_at - a.age <= now() and not a.held then null else d.body end,
    purged_at = case when d.purge_at - a.age <= now() and not a.held then now() end
  from aged as a where d.request_id = a.request_id and d.purge_at is not null and d.purged_at is null
  returning 1
), emptied as (
  update delivery as d set body = null, purged_at = coalesce(d.purged_at, now()),
    url = case when e.erase = 'ALL' then d.destination else d.url end,
    last_error = case when e.erase = 'ALL' then null else d.last_error end
  from erasing as e
  where d.request_id = e.request_id and (d.has_bundle or e.erase = 'ALL')
    and (d.body is not null or (e.erase = 'ALL' and (d.url <> d.destination or d.last_error is not null)))
  returning 1
), unsaid as (
  update delivery_attempt as a set answer = null from delivery as d join erasing as e on e.request_id = d.request_id
  where a.delivery_id = d.id and a.answer is not null
  returning 1
), unaddressed as (
  update message as m set recipient_masked = '', last_error = null from erasing as e
  where m.request_id = e.request_id and (m.recipient_masked <> '' or m.last_error is not null)
  returning 1
)
select 1 from ended_early union all select 1 from emptied union all select 1 from unsaid union all select 1 from unaddressed`,
});

/**
 * Applies intake's decisions on requests. A legal hold keeps bodies from the sweeper, an erasure empties deliveries and
 * applicant messages now. A delivery that is still retried stops at its next attempt.
 */
export function createRetainDeliveries({
  database,
}: {
  readonly database: Pick<Database, 'statement'>;
}): UseCase<'notifier', 'deliveries.retain'> {
  return async ({ requests }) => {
    const changed = await retain.run(database, toColumns(requests, decidedColumns));
    return { changed: changed.length };
  };
}
