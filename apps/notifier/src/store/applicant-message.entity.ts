import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { OperatorOutput } from '@rubrica/contracts/operators/procedures';

type Row = OperatorOutput<'messages.resend'>;

/**
 * Letter or code to an applicant, or letter to an operator. Statements under the fence write it; this entity only reads
 * it.
 */
export const ApplicantMessageEntity = defineEntity({
  name: 'ApplicantMessage',
  tableName: 'message',
  properties: {
    id: p.uuid().primary(),
    requestId: p.uuid().nullable(),
    channel: p.text().$type<Row['channel']>(),
    template: p.text(),
    recipientMasked: p.text(),
    state: p.text().$type<Row['state']>(),
    attempts: p.integer(),
    lastError: p.text().nullable(),
    createdAt: p.datetime(),
    sentAt: p.datetime().nullable(),
  },
});
export type ApplicantMessageEntity = InferEntity<typeof ApplicantMessageEntity>;

/** Converts a message to its row for operators. */
export function toMessageRow(message: ApplicantMessageEntity): Row {
  const { id, requestId, channel, template, recipientMasked, state, attempts } = message;
  return {
    id,
    requestId: requestId ?? null,
    channel,
    template,
    to: recipientMasked,
    state,
    attempts,
    lastError: message.lastError ?? null,
    createdAt: message.createdAt.toISOString(),
    sentAt: message.sentAt?.toISOString() ?? null,
  };
}
