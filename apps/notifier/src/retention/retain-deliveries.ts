import type { Database } from '@rubrica/database';
import type { UseCase } from '@rubrica/wiring';

/**
 * The path of a receiver's address may name a request, so only scheme, host and port are left of it. The error goes
 * because a mail server's answer quotes the recipient.
 */
const text = `
with told as (
  select t.* from unnest($1::uuid[], $2::integer[], $3::boolean[], $4::text[]) as t (request_id, version, held, erase)
  where not exists (select from retention r where r.request_id = t.request_id and r.version > t.version)
), noted as (
  insert into retention as r (request_id, version, held) select request_id, version, held from told
  on conflict (request_id) do update set version = excluded.version, held = excluded.held
    where r.version < excluded.version
), erasing as (
  select request_id, erase = 'ALL' as whole from told where erase <> 'NOTHING' and not held
), emptied as (
  update delivery as d set body = null, purged_at = coalesce(d.purged_at, now()),
    url = case when e.whole then d.destination else d.url end,
    last_error = case when e.whole then null else d.last_error end
  from erasing as e
  where d.request_id = e.request_id and (d.has_bundle or e.whole)
    and (d.body is not null or (e.whole and (d.url <> d.destination or d.last_error is not null)))
  returning 1
), unaddressed as (
  update message as m set recipient_masked = '', last_error = null from erasing as e
  where m.request_id = e.request_id and (m.recipient_masked <> '' or m.last_error is not null)
  returning 1
)
select 1 from emptied union all select 1 from unaddressed`;

/**
 * Carries out what intake has decided about requests: a legal hold keeps bodies from the sweeper, an erasure empties
 * deliveries and applicant messages now. A delivery that is still being tried stops by itself at its next attempt.
 */
export function createRetainDeliveries({
  database,
}: {
  readonly database: Pick<Database, 'statement'>;
}): UseCase<'notifier', 'deliveries.retain'> {
  return async ({ requests }) => {
    const params = [
      requests.map(({ requestId }) => requestId),
      requests.map(({ version }) => version),
      requests.map(({ held }) => held),
      requests.map(({ erase }) => erase),
    ];
    const changed = await database.statement({ name: 'retain-deliveries', text, params });
    return { changed: changed.length };
  };
}
