import { statement } from '@rubrica/database/statement';
import type { UseCase } from '@rubrica/wiring';
import { writeGrant } from '../../base/write-grant.ts';
import type { RequestsDeps } from '../deps.ts';
import { isEventAuthentic, type StoredEvent, storedEventSql } from '../request/stored-event.ts';

/** Ends events and returns their certificates. A repeat returns the same ones and keeps the first end. */
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
 * Ends events whose bodies the notifier has purged: their bundles may go too, and nothing is handed out for
 * them any more. The serial number is a copy of generation's, which compares it with the request that the
 * grant names. If the notifier crashes before it receives the grant, it asks again.
 */
export function createEndEvents(
  deps: Pick<RequestsDeps, 'database' | 'clock' | 'keyring' | 'newId' | 'rows'>,
): EndEvents {
  return async ({ eventIds }) => {
    const rows = await end.run(deps.database, { eventIds, now: deps.clock() });
    const authentic = rows.filter(({ event }) => isEventAuthentic(deps.rows, event));
    const bySerial = new Map(
      authentic.flatMap(({ serial, requestId }) => (serial === null ? [] : [[serial, requestId]])),
    );
    if (bySerial.size === 0) return { grant: null };
    const [serials, requestIds] = [[...bySerial.keys()], [...bySerial.values()]];
    return { grant: writeGrant({ purpose: 'purge', azp: 'notifier', serials, requestIds }, deps) };
  };
}
