import { type Database, statement } from '@rubrica/database';
import type { UseCase } from '@rubrica/wiring';
import { type GrantDeps, readGrant } from '../bundle/read-grant.ts';

const purge = statement<{ serials: readonly string[] }>({
  name: 'purge-delivered',
  sql: `
update bundle as b set purge_at = greatest(now(), b.keep_until), deliver_until = null
from certificate as c
where c.id = b.certificate_id and c.serial = any(:serials::text[]) and b.purged_at is null
  and (b.deliver_until is not null or b.purge_at > greatest(now(), b.keep_until))
returning 1`,
});

/**
 * The notifier has purged its own copies of these certificates' bundles, and intake has granted to purge ours, so ours end now, or when the subscriber or the
 * partner may no longer fetch them. Only the end is moved: the sweeper destroys, so that a legal hold is looked up in
 * one place. Repeating it changes nothing, and certificates without a bundle are passed over.
 * @throws AppError FORBIDDEN
 */
export function createPurgeDelivered(
  deps: GrantDeps & { readonly database: Pick<Database, 'statement'> },
): UseCase<'generation', 'bundles.purge'> {
  return async ({ grant }, { peer }) => {
    const { serials } = readGrant(grant, { purpose: 'purge', peer }, deps);
    const moved = await purge.run(deps.database, { serials });
    return { changed: moved.length };
  };
}
