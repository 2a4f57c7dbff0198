import type { Database } from '@rubrica/database/connection';
import { type DecidedParams, decidedColumns, decidedRetentionSql } from '@rubrica/database/retention';
import { statement, toColumns } from '@rubrica/database/statement';
import type { UseCase } from '@rubrica/wiring';

// The to-be-signed bytes of an abandoned serial number name a person, and no certificate came from them.
const retain = statement<DecidedParams>({
  name: 'retain-bundles',
  sql: `
with ${decidedRetentionSql}, ended as (
  update bundle as b set purge_at = least(b.purge_at, now()), keep_until = null, deliver_until = null
  from certificate as c join erasing as e on e.request_id = c.request_id
  where c.id = b.certificate_id and b.purged_at is null
  returning 1
), ended_early as (
  update bundle as b set keep_until = coalesce(a.fetch_until, b.keep_until - a.age),
    deliver_until = b.deliver_until - a.age, purge_at = moved.at,
    sealed = case when moved.at <= now() and not a.held then null else b.sealed end,
    purged_at = case when moved.at <= now() and not a.held then now() end
  from aged as a join certificate as c on c.request_id = a.request_id
  join bundle as old on old.certificate_id = c.id
  cross join lateral (
    select case when a.fetch_until is null then old.purge_at - a.age
      else least(old.purge_at - a.age, greatest(a.fetch_until, old.deliver_until - a.age)) end as at
  ) as moved
  where b.certificate_id = c.id and b.purged_at is null
  returning 1
), fetched as (
  update bundle as b set keep_until = decided.fetch_until,
    purge_at = least(b.purge_at, greatest(decided.fetch_until, b.deliver_until))
  from certificate as c join decided on decided.request_id = c.request_id
  where c.id = b.certificate_id and b.purged_at is null and decided.erase = 'NOTHING' and b.keep_until > decided.fetch_until
    and not exists (select from aged where aged.request_id = decided.request_id)
), forgotten as (
  update serial_number as s set state = 'ABANDONED', tbs = null from erasing as e
  where s.request_id = e.request_id and e.erase = 'ALL' and s.state <> 'ISSUED' and s.tbs is not null
  returning 1
)
select 1 from ended union all select 1 from ended_early union all select 1 from forgotten`,
});

/**
 * Applies intake's decisions on requests. A legal hold keeps bundles from the sweeper, an erasure ends them now. A
 * first retrieval ends them when it may no longer be repeated, unless a webhook still needs them.
 */
export function createRetainBundles({
  database,
}: {
  readonly database: Pick<Database, 'statement'>;
}): UseCase<'generation', 'bundles.retain'> {
  return async ({ requests }) => {
    const changed = await retain.run(database, toColumns(requests, decidedColumns));
    return { changed: changed.length };
  };
}
