import { createHash } from 'node:crypto';
import type { Sealed } from '@rubrica/database/sealed';
import { type Keyring, KeyringError } from '@rubrica/process/keyring';

/** Delivery with the address that its body is sealed to. */
export interface DeliveryAddress {
  readonly id: string;
  readonly partnerId: string;
  readonly url: string;
}

interface SealBodyDeps {
  readonly keyring: Pick<Keyring, 'sealTo'>;
  /** `accepted`: copies of the previous release still run, and open a body by its id alone. */
  readonly deliveryStatements: 'required' | 'accepted';
}

/** Seals the body of a delivery to its id, partner and destination. */
export async function sealBody(
  body: Buffer,
  delivery: DeliveryAddress,
  { keyring, deliveryStatements }: SealBodyDeps,
): Promise<Sealed> {
  const owner = deliveryStatements === 'accepted' ? delivery.id : bodyOwner(delivery);
  return (await keyring.sealTo('notifier', body, { purpose: 'webhook-body', owner })) as Sealed;
}

/**
 * Opens the body of a delivery. It does not open in another row, nor where its row now names another partner or
 * destination, whatever intake signs for that one. A body of the previous release is bound to its id alone.
 * @throws KeyringError
 */
export async function openBody(
  { body, ...delivery }: DeliveryAddress & { readonly body: Sealed },
  keyring: Pick<Keyring, 'open'>,
): Promise<Buffer> {
  const open = (owner: string) => keyring.open(body, { purpose: 'webhook-body', owner });
  try {
    return Buffer.from(await open(bodyOwner(delivery)));
  } catch (error) {
    if (!(error instanceof KeyringError) || error.fault !== 'other-binding') throw error;
    return Buffer.from(await open(delivery.id));
  }
}

function bodyOwner({ id, partnerId, url }: DeliveryAddress): string {
  const address = createHash('sha256')
    .update(JSON.stringify([partnerId, url]))
    .digest('hex');
  return `${id}:${address}`;
}
