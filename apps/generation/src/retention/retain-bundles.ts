import {
  columnsOf,
  type Database,
  type DecidedParams,
  decidedColumns,
  decidedRetentionSql,
  statement,
} from '@rubrica/database';
import type { UseCase } from '@rubrica/wiring';

// The to-be-signed bytes of an abandoned serial number name a person, and no certificate was made of them.
const retain = statement<DecidedParams>({
  name: 'retain-bundles',
  sql: `
with ${decidedRetentionSql}, ended as (
  update bundle as b set purge_at = least(b.purge_at, now()), keep_until = null, deliver_until = null
  from certificate as c join erasing as e on e.request_id = c.request_id
  where c.id = b.certificate_id and b.purged_at is null
  returning 1
), fetched as (
  update bundle as b set keep_until = decided.fetch_until,
    purge_at = least(b.purge_at, greatest(decided.fetch_until, b.deliver_until))
  from certificate as c join decided on decided.request_id = c.request_id
  where c.id = b.certificate_id and b.purged_at is null and decided.erase = 'NOTHING' and b.keep_until > decided.fetch_until
), forgotten as (
  update serial_number as s set state = 'ABANDONED', tbs = null from erasing as e
  where s.request_id = e.request_id and e.erase = 'ALL' and s.state <> 'ISSUED' and s.tbs is not null
  returning 1
)
select 1 from ended union all select 1 from forgotten`,
});

/**
 * Carries out what intake has decided about requests: a legal hold keeps bundles from the sweeper, an erasure ends them
 * now, and a first retrieval ends them when it may no longer be repeated, unless a webhook still needs them.
 */
export function createRetainBundles({
  database,
}: {
  readonly database: Pick<Database, 'statement'>;
}): UseCase<'generation', 'bundles.retain'> {
  return async ({ requests }) => {
    const changed = await retain.run(database, columnsOf(requests, decidedColumns));
    return { changed: changed.length };
  };
}
