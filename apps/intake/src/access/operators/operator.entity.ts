import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { OperatorRole } from '@rubrica/contracts/shared/enumerations';
import { guardedColumns } from '@rubrica/database/guarded';

/** Operator who invited, promoted or reset another one, and the time. */
export interface Maker {
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
    /** Null for an invited operator who has chosen none yet, or one who signs in otherwise. */
    passwordHash: p.text().$type<string>().strictNullable(),
    role: p.text().$type<OperatorRole>(),
    enabled: p.boolean(),
    /** Version that each loss of a right raises, as of a partner. */
    gen: p.integer().default(1),
    /**
     * Both administrators of each invitation, promotion and reset of factors, at least those of the last
     * seven days. Empty for operators named at setup.
     */
    madeBy: p.json().$type<readonly Maker[]>().default([]),
    /** Language of e-mails to the operator: the language of the last link by e-mail. */
    language: p.text().$type<'es' | 'en'>().default('es'),
    createdAt: p.datetime(),
    ...guardedColumns,
  },
});
export type Operator = InferEntity<typeof OperatorEntity>;
