import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { OperatorRole } from '@rubrica/contracts';

export const OperatorEntity = defineEntity({
  name: 'Operator',
  tableName: 'operator',
  properties: {
    id: p.uuid().primary(),
    email: p.text(),
    passwordHash: p.text(),
    role: p.text().$type<OperatorRole>(),
    enabled: p.boolean(),
    createdAt: p.datetime(),
  },
});
export type Operator = InferEntity<typeof OperatorEntity>;

/** Who changed what and why; append-only. */
export const AuditEntity = defineEntity({
  name: 'Audit',
  tableName: 'audit',
  properties: {
    id: p.bigint().primary().autoincrement(),
    at: p.datetime(),
    actor: p.text(),
    action: p.text(),
    target: p.text(),
    reason: p.text().$type<string>().strictNullable(),
    details: p.json<Record<string, unknown>>(),
  },
});
