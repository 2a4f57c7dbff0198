import { type SqlTarget, statement } from '@rubrica/database';
import { openStatuses } from './open-statuses.ts';

const reopen = statement<{ readonly hours: number }>({
  name: 'reopen-adoption',
  sql: `
update data_upgrade set ends_at = now() + make_interval(hours => :hours::integer),
  audit_sequence = coalesce((select max(chain_sequence) from audit), 0) returning 1`,
});

const forgetDigests = statement<Record<never, never>>({
  name: 'forget-requests-at-upgrade',
  sql: 'delete from request_at_upgrade',
});

const noteDigests = statement<Record<never, never>>({
  name: 'note-requests-at-upgrade',
  sql: `
insert into request_at_upgrade (request_id, digest)
select id, digest_request(request) from request
where status in (${openStatuses}) or supersede_due_at is not null`,
});

/**
 * Gives requests of the release before time to be taken over once more, as the owner of the schema. What the audit chain
 * holds by now counts as proof, and rows count as they are now.
 */
export async function reopenAdoption(owner: SqlTarget, hours: number): Promise<void> {
  await forgetDigests.run(owner, {});
  await noteDigests.run(owner, {});
  await reopen.run(owner, { hours });
}
