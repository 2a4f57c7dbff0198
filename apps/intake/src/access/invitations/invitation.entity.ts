import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { guardedColumns } from '@rubrica/database/guarded';

/** Purpose of a link: a new account, new factors of an existing one, or a break-glass session. */
export type InvitationKind = 'invite' | 'reset' | 'breakGlass';

/** Open link of an operator; there is at most one. */
export const InvitationEntity = defineEntity({
  name: 'Invitation',
  tableName: 'operator_invitation',
  properties: {
    id: p.uuid().primary(),
    operatorId: p.uuid(),
    kind: p.text().$type<InvitationKind>(),
    tokenSha256: p.text(),
    expiresAt: p.datetime(),
    createdAt: p.datetime(),
    ...guardedColumns,
  },
});
export type Invitation = InferEntity<typeof InvitationEntity>;

/** Fields that give a right. */
export const guardedInvitationFields = [
  'operatorId',
  'kind',
  'tokenSha256',
  'expiresAt',
] as const satisfies readonly (keyof Invitation)[];
