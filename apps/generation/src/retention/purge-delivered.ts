import type { Database } from '@rubrica/database';

const text = `
update bundle as b set purge_at = greatest(now(), b.keep_until), deliver_until = null
from certificate as c
where c.id = b.certificate_id and c.request_id = any($1::uuid[]) and b.purged_at is null
  and (b.deliver_until is not null or b.purge_at > greatest(now(), b.keep_until))
returning 1`;

/**
 * Brings the end of these requests' bundles forward: delivered, they wait for nobody but a holder or a partner who
 * may still fetch the file. The sweeper destroys them, so that a legal hold is asked for in one place. Repeating it
 * changes nothing; a request of which there is no bundle is none of this service's business.
 * @returns how many ends were moved
 */
export async function purgeDelivered(
  { database }: { database: Pick<Database, 'statement'> },
  requestIds: readonly string[],
): Promise<number> {
  const rows = await database.statement({ name: 'purge-delivered', text, params: [requestIds] });
  return rows.length;
}
