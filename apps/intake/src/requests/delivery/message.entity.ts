import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type * as messagesContract from '@rubrica/contracts/services/schemas/applicant-messages';
import type { LetterTemplate } from '../../access/letters/letter.entity.ts';

type Outgoing = messagesContract.OutgoingMessage;

/** Templates of messages to applicants. Messages to operators are rows of their own. */
type ApplicantTemplate = Exclude<Outgoing['template'], LetterTemplate>;

/** Message to the applicant. The notifier fetches it by id; its link or code is sealed to the notifier. */
export const MessageEntity = defineEntity({
  name: 'Message',
  tableName: 'message',
  properties: {
    id: p.uuid().primary(),
    requestId: p.uuid(),
    channel: p.text().$type<Outgoing['channel']>(),
    template: p.text().$type<ApplicantTemplate>(),
    language: p.text().$type<Outgoing['language']>(),
    recipient: p.text(),
    sealedSecret: p.text().$type<string>().strictNullable(),
    createdAt: p.datetime(),
  },
});
export type Message = InferEntity<typeof MessageEntity>;
