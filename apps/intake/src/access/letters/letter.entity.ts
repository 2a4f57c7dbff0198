import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type * as messagesContract from '@rubrica/contracts/services/schemas/applicant-messages';
import { guardedColumns } from '@rubrica/database/guarded';

type Outgoing = messagesContract.OutgoingMessage;

export type LetterTemplate = Extract<
  Outgoing['template'],
  | 'operator-invitation'
  | 'operator-reset'
  | 'operator-wrong-codes'
  | 'operator-app'
  | 'operator-passkey'
  | 'break-glass'
>;

/** E-mail to an operator. The notifier fetches it by id; its link is sealed to the notifier. */
export const LetterEntity = defineEntity({
  name: 'Letter',
  tableName: 'operator_letter',
  properties: {
    id: p.uuid().primary(),
    operatorId: p.uuid(),
    template: p.text().$type<LetterTemplate>(),
    language: p.text().$type<Outgoing['language']>(),
    recipient: p.text(),
    /** Operator or user named in it as its cause. */
    causedBy: p.text(),
    /** Null once a newer link has replaced it, or it was used. */
    sealedSecret: p.text().$type<string>().strictNullable(),
    goodUntil: p.datetime(),
    createdAt: p.datetime(),
    ...guardedColumns,
  },
});
export type Letter = InferEntity<typeof LetterEntity>;

/**
 * Guarded fields. The sealed secret is bound to the letter by its seal, and is removed once its link has
 * ended.
 */
export const guardedLetterFields = [
  'operatorId',
  'template',
  'recipient',
  'causedBy',
  'goodUntil',
] as const satisfies readonly (keyof Letter)[];
