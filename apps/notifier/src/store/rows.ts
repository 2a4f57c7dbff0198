import type { OperatorOutput } from '@rubrica/contracts/operators/procedures';
import { iso } from './instants.ts';

/** A delivery as operators see it: never its body, its secrets or what the receiver answered. */
export type DeliveryRow = OperatorOutput<'deliveries.resend'>;

/** Columns of `delivery` under the contract's names. */
export const deliveryColumns = `
  id, id as "eventId", request_id as "requestId", partner_id as "partnerId", type, url, state, attempts,
  ${iso('due_at')} as "nextAttemptAt", last_status as "lastStatus", last_error as "lastError",
  ${iso('created_at')} as "createdAt", ${iso('delivered_at')} as "deliveredAt", ${iso('purged_at')} as "purgedAt"`;

export type MessageRow = OperatorOutput<'messages.resend'>;

/** Columns of `message` under the contract's names. */
export const messageColumns = `
  id, request_id as "requestId", channel, template, recipient_masked as "to", state, attempts,
  last_error as "lastError", ${iso('created_at')} as "createdAt", ${iso('sent_at')} as "sentAt"`;

export type DestinationRow = OperatorOutput<'deliveries.enableDestination'>;

/** Columns of `endpoint` under the contract's names. */
export const destinationColumns = `
  id, partner_id as "partnerId", destination, state, ${iso('failing_since')} as "failingSince",
  ${iso('last_failed_at')} as "lastFailedAt", ${iso('disabled_at')} as "disabledAt"`;
