import type * as retentionContract from '@rubrica/contracts/services/schemas/retention';
import type { Database } from '@rubrica/database';

/**
 * The address of a partner's receiver may name a request in its path: what is left of it is what says who it was.
 * A mail server's answer quotes the recipient.
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
 * Takes intake's word on requests: holds keep bodies from the sweeper, erasures empty deliveries and messages now.
 * A delivery that is still being tried stops by itself at its next attempt.
 * @returns how many rows an erasure changed
 */
export async function retainRequests(
  { database }: { database: Pick<Database, 'statement'> },
  requests: readonly retentionContract.Retained[],
): Promise<number> {
  const params = [
    requests.map(({ requestId }) => requestId),
    requests.map(({ version }) => version),
    requests.map(({ held }) => held),
    requests.map(({ erase }) => erase),
  ];
  return (await database.statement({ name: 'retain-requests', text, params })).length;
}
