import { defineEntity, p } from '@mikro-orm/core';
import { guardedColumns } from '@rubrica/database/guarded';

/** Enrolled factors of an operator. A trigger keeps rows from being deleted or going back a version. */
export const FactorMarkEntity = defineEntity({
  name: 'FactorMark',
  tableName: 'operator_factor_mark',
  properties: {
    /** Id of the operator. */
    id: p.uuid().primary(),
    factorIds: p.json().$type<readonly string[]>(),
    ...guardedColumns,
  },
});
