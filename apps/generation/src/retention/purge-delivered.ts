import { type Database, statement } from '@rubrica/database';
import type { UseCase } from '@rubrica/wiring';

const purge = statement<{ requestIds: readonly string[] }>({
  name: 'purge-delivered',
  sql: `
update bundle as b set purge_at = greatest(now(), b.keep_until), deliver_until = null
from certificate as c
where c.id = b.certificate_id and c.request_id = any(:requestIds::uuid[]) and b.purged_at is null
  and (b.deliver_until is not null or b.purge_at > greatest(now(), b.keep_until))
returning 1`,
});

/**
 * The notifier has purged its own copies of these requests' bundles, so ours end now, or when the subscriber or the
 * partner may no longer fetch them. Only the end is moved: the sweeper destroys, so that a legal hold is looked up in
 * one place. Repeating it changes nothing, and requests without a bundle are passed over.
 */
export function createPurgeDelivered({
  database,
}: {
  readonly database: Pick<Database, 'statement'>;
}): UseCase<'generation', 'bundles.purge'> {
  return async ({ requestIds }) => {
    const moved = await purge.run(database, { requestIds });
    return { changed: moved.length };
  };
}
