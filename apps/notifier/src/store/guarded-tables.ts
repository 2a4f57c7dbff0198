import { guardedSqlTable, type RowGuard, type Sealed } from '@rubrica/database';
import { sha256Hex } from './sha256-hex.ts';

/**
 * Deliveries as this service stored them: destination, headers and the body by its digest. Sealing needs a public key alone, so
 * that a sealed body says nothing of who has sealed it. Read where they are used: most are never read again.
 */
const deliveryTable = guardedSqlTable(
  'delivery',
  ['requestId', 'partnerId', 'url', 'type', 'occurredAt', 'renewalOf', 'code', 'bodySha256'],
  { check: 'none' },
);

export const guardedTables = [deliveryTable];

/** Whatever of a delivery is sent, and how it is addressed. */
export interface GuardedDelivery {
  readonly id: string;
  readonly requestId: string;
  readonly partnerId: string;
  readonly url: string;
  readonly type: string;
  /** Instant. */
  readonly occurredAt: string;
  readonly renewalOf: string | null;
  readonly code: string | null;
  readonly body: Sealed;
}

/** The MAC of a delivery's row. */
export function protectDelivery(rows: Pick<RowGuard, 'protect'>, delivery: GuardedDelivery): string {
  const { body, ...fields } = delivery;
  return rows.protect('delivery', { ...fields, bodySha256: sha256Hex(body) }).mac;
}

/**
 * Tells whether a delivery is as this service stored it, and raises the alarm if it is not. One without a MAC raises none: the
 * release before has stored it.
 */
export function isDeliveryIntact(
  rows: Pick<RowGuard, 'isIntact'>,
  { mac, ...delivery }: GuardedDelivery & { readonly mac: string | null },
): boolean {
  if (mac === null) return false;
  const { id, requestId: request_id, partnerId: partner_id, url, type, code, body } = delivery;
  const { occurredAt: occurred_at, renewalOf: renewal_of } = delivery;
  return rows.isIntact('delivery', {
    ...{ id, version: 1, mac, request_id, partner_id, url, type, occurred_at, renewal_of, code },
    body_sha256: sha256Hex(body),
  });
}
