import { guardedSqlTable, type RowGuard } from '@rubrica/database/guarded';
import type { Sealed } from '@rubrica/database/sealed';
import { sha256Hex } from './sha256-hex.ts';

/**
 * Deliveries as this service stored them: destination, headers and the digest of the body. The MAC is needed because
 * sealing takes only a public key, so a seal does not prove its author. Rows are verified when used: most are never
 * read again.
 */
const deliveryTable = guardedSqlTable(
  'delivery',
  ['requestId', 'partnerId', 'url', 'type', 'occurredAt', 'renewalOf', 'code', 'bodySha256'],
  {
    check: 'former-keys',
    source: {
      table: 'delivery',
      key: 'id',
      keyType: 'uuid',
      macColumn: 'mac',
      row: `jsonb_build_object('id', id, 'version', 1, 'mac', mac, 'request_id', request_id, 'partner_id', partner_id,
        'url', url, 'type', type, 'occurred_at', occurred_at, 'renewal_of', renewal_of, 'code', code,
        'body_sha256', encode(sha256(convert_to(body, 'UTF8')), 'hex'))`,
      where: 'body is not null',
    },
  },
);

export const guardedTables = [deliveryTable];

/** Fields of a delivery that are sent, and its address. */
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

/** Creates the MAC of a delivery's row. */
export function protectDelivery(rows: Pick<RowGuard, 'protect'>, delivery: GuardedDelivery): string {
  const { body, ...fields } = delivery;
  return rows.protect('delivery', { ...fields, bodySha256: sha256Hex(body) }).mac;
}

/**
 * Returns whether a delivery is as this service stored it, and raises the alarm if not. A row without a MAC raises
 * none: the previous release stored it.
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
