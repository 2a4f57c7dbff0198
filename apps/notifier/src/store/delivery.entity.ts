import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { OperatorOutput } from '@rubrica/contracts/operators/procedures';
import type { WebhookEventType } from '@rubrica/contracts/rest/webhooks';

type State = OperatorOutput<'deliveries.resend'>['state'];

const stateSet = { PENDING: true, DELIVERED: true, EXHAUSTED: true, STOPPED: true } satisfies Record<
  State,
  true
>;
export const deliveryStates = Object.keys(stateSet) as readonly State[];

/** Webhook event for a partner. Statements under the fence write it; this entity only reads it, never its body. */
export const DeliveryEntity = defineEntity({
  name: 'Delivery',
  tableName: 'delivery',
  properties: {
    /** Id of the delivery and of its event. */
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

/** Finished attempt, under the fence of its lease. A view, because the acknowledged attempt is part of its delivery. */
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

/** Converts a delivery to its row in lists for operators, without its body, its secrets or the receiver's answer. */
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
