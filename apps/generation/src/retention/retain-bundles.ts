import type { Database } from '@rubrica/database';
import type { UseCase } from '@rubrica/wiring';

// The to-be-signed bytes of an abandoned serial number name a person, and no certificate was made of them.
const text = `
with told as (
  select t.* from unnest($1::uuid[], $2::integer[], $3::boolean[], $4::text[], $5::timestamptz[])
    as t (request_id, version, held, erase, fetch_until)
  where not exists (select from retention r where r.request_id = t.request_id and r.version > t.version)
), noted as (
  insert into retention as r (request_id, version, held) select request_id, version, held from told
  on conflict (request_id) do update set version = excluded.version, held = excluded.held
    where r.version < excluded.version
), erasing as (
  select request_id, erase from told where erase <> 'NOTHING' and not held
), ended as (
  update bundle as b set purge_at = least(b.purge_at, now()), keep_until = null, deliver_until = null
  from certificate as c join erasing as e on e.request_id = c.request_id
  where c.id = b.certificate_id and b.purged_at is null
  returning 1
), fetched as (
  update bundle as b set keep_until = told.fetch_until,
    purge_at = least(b.purge_at, greatest(told.fetch_until, b.deliver_until))
  from certificate as c join told on told.request_id = c.request_id
  where c.id = b.certificate_id and b.purged_at is null and told.erase = 'NOTHING' and b.keep_until > told.fetch_until
), forgotten as (
  update serial_number as s set state = 'ABANDONED', tbs = null from erasing as e
  where s.request_id = e.request_id and e.erase = 'ALL' and s.state <> 'ISSUED' and s.tbs is not null
  returning 1
)
select 1 from ended union all select 1 from forgotten`;

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
    const params = [
      requests.map(({ requestId }) => requestId),
      requests.map(({ version }) => version),
      requests.map(({ held }) => held),
      requests.map(({ erase }) => erase),
      requests.map(({ fetchUntil = null }) => fetchUntil),
    ];
    const changed = await database.statement({ name: 'retain-bundles', text, params });
    return { changed: changed.length };
  };
}
