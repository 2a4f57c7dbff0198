import { statement } from '@rubrica/database';
import type { UseCase } from '@rubrica/wiring';
import type { IntakeDeps } from '../context.ts';
import { writeGrant } from '../write-grant.ts';

/** Again: the same certificates, and the first end stays. */
const end = statement<
  { readonly eventIds: readonly string[]; readonly now: Date },
  { readonly serial: string | null }
>({
  name: 'end-events',
  sql: `
update webhook_event as event set ended_at = coalesce(event.ended_at, :now)
from request where request.id = event.request_id and event.id = any(:eventIds::uuid[])
  and event.type = 'certificate.issued'
returning request.serial_number as serial`,
});

type EndEvents = UseCase<'intake', 'events.end'>;

/**
 * The notifier has purged the bodies of these events, so their bundles may go too, and nothing is given out for them
 * any more. A crash before the notifier heard the grant: it asks again.
 */
export function createEndEvents(
  deps: Pick<IntakeDeps, 'database' | 'clock' | 'keyring' | 'newId'>,
): EndEvents {
  return async ({ eventIds }) => {
    const rows = await end.run(deps.database, { eventIds, now: deps.clock() });
    const serials = [...new Set(rows.flatMap(({ serial }) => serial ?? []))];
    const grant =
      serials.length === 0 ? null : writeGrant({ purpose: 'purge', azp: 'notifier', serials }, deps);
    return { grant };
  };
}
