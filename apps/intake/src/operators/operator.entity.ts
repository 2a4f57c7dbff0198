import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { OperatorRole } from '@rubrica/contracts/shared/enumerations';
import { guardedColumns } from '@rubrica/database';

export const OperatorEntity = defineEntity({
  name: 'Operator',
  tableName: 'operator',
  properties: {
    id: p.uuid().primary(),
    email: p.text(),
    passwordHash: p.text(),
    role: p.text().$type<OperatorRole>(),
    enabled: p.boolean(),
    /** As a partner's. */
    gen: p.integer().default(1),
    createdAt: p.datetime(),
    ...guardedColumns,
  },
});
export type Operator = InferEntity<typeof OperatorEntity>;
