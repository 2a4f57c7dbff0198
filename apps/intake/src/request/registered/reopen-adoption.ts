import { type Database, statement } from '@rubrica/database';

const reopen = statement<{ readonly hours: number }>({
  name: 'reopen-adoption',
  sql: `
update data_upgrade set began_at = now(), ends_at = now() + make_interval(hours => :hours::integer),
  mixed_until = now() + make_interval(hours => :hours::integer),
  audit_sequence = coalesce((select max(chain_sequence) from audit), 0),
  timeline_id = coalesce((select max(id) from timeline), 0) returning 1`,
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

/** Links that copies of the release before have given out meanwhile. */
const noteLinks = statement<Record<never, never>>({
  name: 'note-links-at-upgrade',
  sql: `
insert into link_at_upgrade as known (token_sha256, request_id, renewal_id)
select claim_token_sha256, id, null from request where claim_token_sha256 is not null and claim_link_mac is null
union all select token_sha256, request_id, renewal_id from renewal_link where mac is null
on conflict (token_sha256) do update set request_id = excluded.request_id, renewal_id = excluded.renewal_id`,
});

const forgetLate = statement<Record<never, never>>({
  name: 'forget-requests-after-upgrade',
  sql: 'delete from request_at_upgrade where exists (select from data_upgrade where ends_at <= now())',
});

/**
 * Takes over requests of the release before once more, as the owner of the schema: rows count as they are now, what the audit
 * chain holds by now counts as proof, and for so many hours what copies of the release before write is taken over as well.
 * @param hours 0: nothing is taken over any more
 */
export async function reopenAdoption(owner: Pick<Database, 'transaction'>, hours: number): Promise<void> {
  await owner.transaction(async (em) => {
    await reopen.run(em, { hours });
    await forgetDigests.run(em, {});
    await noteDigests.run(em, {});
    await noteLinks.run(em, {});
  });
}

/** Deletes the digests once the time is over. */
export async function endAdoption(owner: Pick<Database, 'statement'>): Promise<void> {
  await forgetLate.run(owner, {});
}
