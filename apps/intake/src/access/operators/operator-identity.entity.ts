import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { guardedColumns } from '@rubrica/database/guarded';

/** Identity of an operator at the organisation's OpenID provider. */
export const OperatorIdentityEntity = defineEntity({
  name: 'OperatorIdentity',
  tableName: 'operator_identity',
  properties: {
    id: p.uuid().primary(),
    operatorId: p.uuid(),
    issuer: p.text(),
    subject: p.text(),
    createdAt: p.datetime(),
    ...guardedColumns,
  },
});
export type OperatorIdentity = InferEntity<typeof OperatorIdentityEntity>;
