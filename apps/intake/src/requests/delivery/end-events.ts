import { statement } from '@rubrica/database';
import type { UseCase } from '@rubrica/wiring';
import { writeGrant } from '../../base/write-grant.ts';
import type { RequestsDeps } from '../deps.ts';
import { isEventAuthentic, type StoredEvent, storedEventSql } from '../request/stored-event.ts';

/** Again: the same certificates, and the first end stays. */
const end = statement<
  { readonly eventIds: readonly string[]; readonly now: Date },
  { readonly requestId: string; readonly serial: string | null; readonly event: StoredEvent }
>({
  name: 'end-events',
  sql: `
update webhook_event as event set ended_at = coalesce(event.ended_at, :now)
from request where request.id = event.request_id and event.id = any(:eventIds::uuid[])
  and event.type = 'certificate.issued'
returning request.id as "requestId", request.serial_number as serial, ${storedEventSql('event')} as event`,
});

type EndEvents = UseCase<'intake', 'events.end'>;

/**
 * The notifier has purged the bodies of these events, so their bundles may go too, and nothing is given out for them
 * any more. The serial number is a copy of generation's, which compares it with the request that the grant names. A crash before the notifier heard the grant: it asks again.
 */
export function createEndEvents(
  deps: Pick<RequestsDeps, 'database' | 'clock' | 'keyring' | 'newId' | 'rows'>,
): EndEvents {
  return async ({ eventIds }) => {
    const rows = await end.run(deps.database, { eventIds, now: deps.clock() });
    const own = rows.filter(({ event }) => isEventAuthentic(deps.rows, event));
    const named = new Map(
      own.flatMap(({ serial, requestId }) => (serial === null ? [] : [[serial, requestId]])),
    );
    if (named.size === 0) return { grant: null };
    const [serials, requestIds] = [[...named.keys()], [...named.values()]];
    return { grant: writeGrant({ purpose: 'purge', azp: 'notifier', serials, requestIds }, deps) };
  };
}
