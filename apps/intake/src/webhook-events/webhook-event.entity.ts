import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { WebhookEventType } from '@rubrica/contracts';

/** One event the partner is told of; its id is the `webhook-id` of every attempt. */
export const WebhookEventEntity = defineEntity({
  name: 'WebhookEvent',
  tableName: 'webhook_event',
  properties: {
    id: p.uuid().primary(),
    requestId: p.uuid(),
    type: p.text().$type<WebhookEventType>(),
    message: p.text().$type<string>().strictNullable(),
    occurredAt: p.datetime(),
  },
});
export type WebhookEvent = InferEntity<typeof WebhookEventEntity>;
