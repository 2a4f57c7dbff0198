import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { OperatorOutput } from '@rubrica/contracts/operators/procedures';

type Row = OperatorOutput<'messages.resend'>;

/** A letter or code to an applicant, or a letter to an operator. Written by statements under the fence; read through here. */
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

/** As operators see it. */
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
