import { type Database, statement } from '@rubrica/database';
import type { Peers } from '@rubrica/wiring';
import { NotGranted, OtherDestination } from '../signing/read-delivery-statement.ts';
import { type ComposeDeps, type ComposedDelivery, composeDelivery } from './compose-delivery.ts';
import type { LeasedDelivery } from './delivery.store.ts';

export interface RebuildDeps extends ComposeDeps {
  readonly database: Pick<Database, 'statement'>;
  readonly intake: Pick<Peers<'notifier'>['intake'], 'events.get'>;
}

/** Replaces the fields that come from the event, for the delivery that this process has leased. */
const replace = statement<
  Pick<LeasedDelivery, 'fence'> &
    Pick<
      ComposedDelivery['fields'],
      'id' | 'requestId' | 'type' | 'occurredAt' | 'renewalOf' | 'code' | 'body' | 'mac'
    >
>({
  name: 'replace-delivery',
  sql: `
update delivery set request_id = :requestId, type = :type, occurred_at = :occurredAt, renewal_of = :renewalOf,
  code = :code, body = :body, mac = :mac
where id = :id and fence = :fence returning 1`,
});

/**
 * Rebuilds a delivery from its event where its row differs from what this service stored: nothing of the row is sent.
 * @throws AppError where the event or its bundle has expired, or a peer cannot answer; NotGranted; OtherDestination
 */
export async function rebuildDelivery(
  delivery: LeasedDelivery,
  deps: RebuildDeps,
): Promise<ComposedDelivery> {
  const { id, partnerId, url, fence } = delivery;
  const event = await deps.intake['events.get']({ eventId: id });
  if (event.eventId !== id) throw new NotGranted(id, 'the answer is another event');
  // Intake has signed only the destination of the row.
  if (event.partnerId !== partnerId || event.url !== url) throw new OtherDestination(id);
  const composed = await composeDelivery(event, deps);
  const { requestId, type, occurredAt, renewalOf, code, body, mac } = composed.fields;
  await replace.run(deps.database, { id, fence, requestId, type, occurredAt, renewalOf, code, body, mac });
  return composed;
}
