import type { Database } from '@rubrica/database/connection';
import { statement } from '@rubrica/database/statement';
import type { UseCase } from '@rubrica/wiring';
import { type GrantDeps, readGrant } from '../bundle/read-grant.ts';

const purge = statement<{
  readonly serials: readonly string[];
  readonly requestIds: readonly string[] | null;
}>({
  name: 'purge-delivered',
  sql: `
update bundle as b set purge_at = greatest(now(), b.keep_until), deliver_until = null
from certificate as c
where c.id = b.certificate_id and b.purged_at is null and c.serial = any(:serials::text[])
  and (:requestIds::uuid[] is null
    or (c.serial, c.request_id) in (select * from unnest(:serials::text[], :requestIds::uuid[])))
  and (b.deliver_until is not null or b.purge_at > greatest(now(), b.keep_until))
returning 1`,
});

/**
 * Ends the retention of bundles whose copies the notifier has purged, with a grant of intake for each request and
 * serial number. They end now, or when the subscriber or partner may no longer fetch them. Only the end is moved: the
 * sweeper destroys, so that a legal hold is checked in one place. Repeating it changes nothing, and certificates
 * without a bundle are ignored.
 * @throws AppError FORBIDDEN
 */
export function createPurgeDelivered(
  deps: GrantDeps & { readonly database: Pick<Database, 'statement'> },
): UseCase<'generation', 'bundles.purge'> {
  return async ({ grant }, { peer }) => {
    const { serials, requestIds = null } = readGrant(grant, { purpose: 'purge', peer }, deps);
    const moved = await purge.run(deps.database, { serials, requestIds });
    return { changed: moved.length };
  };
}
