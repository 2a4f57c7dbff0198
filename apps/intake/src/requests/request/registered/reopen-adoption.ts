import type { Database } from '@rubrica/database/connection';
import { statement } from '@rubrica/database/statement';

const reopen = statement<{ readonly hours: number }>({
  name: 'reopen-adoption',
  sql: `
update data_upgrade set began_at = now(), ends_at = now() + make_interval(hours => :hours::integer),
  mixed_until = now() + make_interval(hours => :hours::integer),
  audit_sequence = coalesce((select max(chain_sequence) from audit), 0),
  timeline_id = coalesce((select max(id) from timeline), 0) returning 1`,
});

/**
 * Ends the adoption. Rows that copies of the previous release have written until now count, if those copies
 * could still write.
 */
const close = statement<Record<never, never>>({
  name: 'close-adoption',
  sql: `
update data_upgrade set ends_at = least(ends_at, now()), mixed_until = least(mixed_until, now()),
  audit_sequence = case when now() < mixed_until then coalesce((select max(chain_sequence) from audit), 0) else audit_sequence end,
  timeline_id = case when now() < mixed_until then coalesce((select max(id) from timeline), 0) else timeline_id end
returning 1`,
});

const forgetDigests = statement<Record<never, never>>({
  name: 'forget-requests-at-upgrade',
  sql: 'delete from request_at_upgrade',
});

const noteDigests = statement<Record<never, never>>({
  name: 'note-requests-at-upgrade',
  sql: `
insert into request_at_upgrade (request_id, digest)
select request.id, digest_request(request) from request, data_upgrade where erased_at is null and now() < ends_at`,
});

/** Records links that copies of the previous release have issued in between. */
const noteLinks = statement<Record<never, never>>({
  name: 'note-links-at-upgrade',
  sql: `
insert into link_at_upgrade as known (token_sha256, request_id, renewal_id)
select claim_token_sha256, id, null from request where claim_token_sha256 is not null and claim_link_mac is null
  and exists (select from data_upgrade where now() < mixed_until)
union all select token_sha256, request_id, renewal_id from renewal_link where mac is null
  and exists (select from data_upgrade where now() < mixed_until)
on conflict (token_sha256) do update set request_id = excluded.request_id, renewal_id = excluded.renewal_id`,
});

/** Records events that copies of the previous release have written in between. */
const noteEvents = statement<Record<never, never>>({
  name: 'note-events-at-upgrade',
  sql: `
insert into event_at_upgrade (event_id, digest)
select id, digest_event(webhook_event) from webhook_event
where mac is null and exists (select from data_upgrade where now() < mixed_until)
on conflict (event_id) do nothing`,
});

const forgetLate = statement<Record<never, never>>({
  name: 'forget-requests-after-upgrade',
  sql: 'delete from request_at_upgrade where exists (select from data_upgrade where ends_at <= now())',
});

/**
 * Reopens the adoption of requests of the previous release, as the owner of the schema. Rows count as they
 * are now, and entries that the audit chain holds by now count as proof. For so many hours, requests that
 * copies of the previous release write are adopted as well.
 * @param hours 0 ends the adoption. After the time of copies of the previous release, this adopts nothing
 *   itself: a row without proof until then was written by others
 */
export async function reopenAdoption(owner: Pick<Database, 'transaction'>, hours: number): Promise<void> {
  await owner.transaction(async (em) => {
    if (hours > 0) await reopen.run(em, { hours });
    // Runs before the adoption ends: notes are recorded only while copies of the previous release may write.
    await noteLinks.run(em, {});
    await noteEvents.run(em, {});
    await forgetDigests.run(em, {});
    if (hours > 0) await noteDigests.run(em, {});
    else await close.run(em, {});
  });
}

/** Deletes the digests once the time is over. */
export async function endAdoption(owner: Pick<Database, 'statement'>): Promise<void> {
  await forgetLate.run(owner, {});
}
