import type { Database } from '@rubrica/database/connection';
import type { RowGuard } from '@rubrica/database/guarded';
import type { Sealed } from '@rubrica/database/sealed';
import { statement } from '@rubrica/database/statement';
import { type Keyring, KeyringError } from '@rubrica/process/keyring';
import type { Peers } from '@rubrica/wiring';
import { NotGranted, OtherDestination } from '../../signing/signing-secrets.ts';
import { isDeliveryIntact } from '../../store/guarded-tables.ts';
import type { LeasedDelivery } from '../delivery.store.ts';
import { type ComposeDeps, type ComposedDelivery, composeDelivery } from './compose-delivery.ts';
import { openBody } from './open-body.ts';

export interface LoadContentDeps extends ComposeDeps {
  readonly database: Pick<Database, 'statement'>;
  readonly intake: Pick<Peers<'notifier'>['intake'], 'events.get'>;
  readonly keyring: ComposeDeps['keyring'] & Pick<Keyring, 'open'>;
  readonly rows: Pick<RowGuard, 'protect' | 'isIntact'>;
}

/** Leased delivery whose content has not been deleted. */
export type StoredDelivery = LeasedDelivery & { readonly body: Sealed };

/** Content of a delivery: body and fields of its headers. */
export interface DeliveryContent {
  readonly fields: Pick<LeasedDelivery, 'type' | 'occurredAt' | 'renewalOf' | 'code'>;
  readonly bytes: Buffer;
}

/**
 * Loads body and headers as this service stored them; otherwise, rebuilds them from intake's event.
 * @param known body that this process has just built, which need not be opened
 * @throws KeyringError `other-binding` where the body belongs to another address; errors of `rebuildDelivery`
 */
export async function loadContent(
  stored: StoredDelivery,
  known: Buffer | undefined,
  deps: LoadContentDeps,
): Promise<DeliveryContent> {
  if (isDeliveryIntact(deps.rows, stored))
    return { fields: stored, bytes: known ?? (await openBody(stored, deps.keyring)) };
  await refuseReaddressed(stored, deps);
  const { fields, body } = await rebuildDelivery(stored, deps);
  return { fields, bytes: body };
}

/**
 * Refuses to rebuild a body that belongs to another address.
 * @throws KeyringError `other-binding`
 */
async function refuseReaddressed(
  stored: StoredDelivery,
  { keyring }: Pick<LoadContentDeps, 'keyring'>,
): Promise<void> {
  try {
    await openBody(stored, keyring);
  } catch (error) {
    if (error instanceof KeyringError && error.fault === 'other-binding') throw error;
  }
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
async function rebuildDelivery(delivery: LeasedDelivery, deps: LoadContentDeps): Promise<ComposedDelivery> {
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
