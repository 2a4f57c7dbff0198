import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { OperatorRole } from '@rubrica/contracts/shared/enumerations';
import { guardedColumns } from '@rubrica/database';

/** Who made an operator what he is, and when. */
export interface MadeBy {
  readonly operatorId: string;
  readonly at: string;
  readonly action: 'invite' | 'promote' | 'resetFactors';
}

export const OperatorEntity = defineEntity({
  name: 'Operator',
  tableName: 'operator',
  properties: {
    id: p.uuid().primary(),
    email: p.text(),
    /** Null for who is invited and has chosen none yet, or signs in otherwise. */
    passwordHash: p.text().$type<string>().strictNullable(),
    role: p.text().$type<OperatorRole>(),
    enabled: p.boolean(),
    /** As a partner's. */
    gen: p.integer().default(1),
    /**
     * Both administrators of each invitation, promotion and reset of factors, at least those of the last seven days. Empty
     * for those who are named at setup.
     */
    madeBy: p.json().$type<readonly MadeBy[]>().default([]),
    /** Language of e-mails to the operator: that of the last link by e-mail. */
    language: p.text().$type<'es' | 'en'>().default('es'),
    createdAt: p.datetime(),
    ...guardedColumns,
  },
});
export type Operator = InferEntity<typeof OperatorEntity>;
