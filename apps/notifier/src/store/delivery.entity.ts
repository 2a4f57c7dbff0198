import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { OperatorOutput } from '@rubrica/contracts/operators/procedures';
import type { WebhookEventType } from '@rubrica/contracts/rest/webhooks';

type State = OperatorOutput<'deliveries.resend'>['state'];

const everyState = { PENDING: true, DELIVERED: true, EXHAUSTED: true, STOPPED: true } satisfies Record<
  State,
  true
>;
export const deliveryStates = Object.keys(everyState) as readonly State[];

/** A webhook event on its way to a partner. Written by statements under the fence; read through here, never its body. */
export const DeliveryEntity = defineEntity({
  name: 'Delivery',
  tableName: 'delivery',
  properties: {
    /** The event's id as well. */
    id: p.uuid().primary(),
    requestId: p.uuid(),
    partnerId: p.uuid(),
    type: p.text().$type<WebhookEventType>(),
    url: p.text(),
    state: p.text().$type<State>(),
    attempts: p.integer(),
    dueAt: p.datetime().nullable(),
    lastStatus: p.integer().nullable(),
    lastError: p.text().nullable(),
    createdAt: p.datetime(),
    deliveredAt: p.datetime().nullable(),
    purgedAt: p.datetime().nullable(),
  },
});
export type DeliveryEntity = InferEntity<typeof DeliveryEntity>;

/** An attempt that came to an end, under the fence of its lease: a view, as the acknowledged one stands in its delivery. */
export const AttemptEntity = defineEntity({
  name: 'Attempt',
  tableName: 'attempt',
  properties: {
    deliveryId: p.uuid().primary(),
    fence: p.integer().primary(),
    startedAt: p.datetime(),
    durationMs: p.integer(),
    status: p.integer().nullable(),
    outcome: p.text(),
    error: p.text().nullable(),
    answer: p.text().nullable(),
  },
});

/** As operators see it in lists: never its body, its secrets or what the receiver answered. */
export function toDeliveryRow(delivery: DeliveryEntity): OperatorOutput<'deliveries.resend'> {
  const { id, requestId, partnerId, type, url, state, attempts } = delivery;
  return {
    id,
    eventId: id,
    requestId,
    partnerId,
    type,
    url,
    state,
    attempts,
    nextAttemptAt: delivery.dueAt?.toISOString() ?? null,
    lastStatus: delivery.lastStatus ?? null,
    lastError: delivery.lastError ?? null,
    createdAt: delivery.createdAt.toISOString(),
    deliveredAt: delivery.deliveredAt?.toISOString() ?? null,
    purgedAt: delivery.purgedAt?.toISOString() ?? null,
  };
}
