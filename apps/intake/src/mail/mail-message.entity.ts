import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** A mail to the applicant; the notifier fetches it by id. The token is sealed to the notifier. */
export const MailMessageEntity = defineEntity({
  name: 'MailMessage',
  tableName: 'mail_message',
  properties: {
    id: p.uuid().primary(),
    requestId: p.uuid(),
    template: p.text().$type<'claim'>(),
    recipient: p.text(),
    sealedToken: p.text().$type<string>().strictNullable(),
    createdAt: p.datetime(),
  },
});
export type MailMessage = InferEntity<typeof MailMessageEntity>;
