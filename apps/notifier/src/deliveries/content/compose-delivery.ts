import type * as eventsContract from '@rubrica/contracts/services/schemas/events';
import type { RowGuard } from '@rubrica/database/guarded';
import { AppError } from '@rubrica/process/errors';
import type { Keyring } from '@rubrica/process/keyring';
import type { Peers } from '@rubrica/wiring';
import { z } from 'zod';
import { protectDelivery } from '../../store/guarded-tables.ts';
import type { LeasedDelivery } from '../delivery.store.ts';
import { sealBody } from './open-body.ts';
import { type Bundle, buildWebhookBody, getFaultCode } from './webhook-body.ts';

export interface ComposeDeps {
  readonly generation: Pick<Peers<'notifier'>['generation'], 'bundles.release'>;
  readonly keyring: Pick<Keyring, 'openText' | 'sealTo'>;
  readonly rows: Pick<RowGuard, 'protect'>;
  readonly deliveryStatements: 'required' | 'accepted';
  readonly timeZone: string;
}

type ComposedFields = Pick<
  LeasedDelivery,
  'id' | 'requestId' | 'partnerId' | 'url' | 'type' | 'occurredAt' | 'renewalOf' | 'code' | 'mac'
> & { readonly body: NonNullable<LeasedDelivery['body']> };

/** Delivery as its row will hold it, with its body in the clear. */
export interface ComposedDelivery {
  readonly fields: ComposedFields;
  readonly body: Buffer;
  /** True if the body contains a bundle. */
  readonly hasBundle: boolean;
}

const bundleSchema = z.object({ file: z.string(), password: z.string().optional() });

/**
 * Builds the body and the guarded fields of a delivery from its event, with the bundle where the event delivers one.
 * @throws AppError when generation cannot answer; PAYLOAD_EXPIRED where the bundle was purged
 */
export async function composeDelivery(
  event: eventsContract.WebhookEvent,
  deps: ComposeDeps,
): Promise<ComposedDelivery> {
  const bundle = await releaseBundle(event, deps);
  const body = buildWebhookBody(event, { bundle, timeZone: deps.timeZone });
  const { eventId: id, requestId, partnerId, url, type, occurredAt, renewalOf } = event;
  const sealed = await sealBody(body, { id, partnerId, url }, deps);
  const stored = { id, requestId, partnerId, url, type, occurredAt, renewalOf, code: getFaultCode(event) };
  const mac = protectDelivery(deps.rows, { ...stored, body: sealed });
  return { fields: { ...stored, body: sealed, mac }, body, hasBundle: bundle !== undefined };
}

async function releaseBundle(
  event: eventsContract.WebhookEvent,
  { keyring, generation }: ComposeDeps,
): Promise<Bundle | undefined> {
  if (event.type !== 'certificate.issued') return undefined;
  const { grant } = event;
  // The event has ended: its bundle was purged.
  if (grant === null) throw new AppError({ code: 'PAYLOAD_EXPIRED' });
  const { sealed, serialNumber } = await generation['bundles.release']({ grant });
  const text = await keyring.openText(sealed, { purpose: 'bundle', owner: event.requestId });
  const { file, password } = bundleSchema.parse(JSON.parse(text));
  return { file, password, serialNumber };
}
