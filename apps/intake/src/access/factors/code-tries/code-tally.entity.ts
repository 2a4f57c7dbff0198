import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { guardedColumns } from '@rubrica/database/guarded';

/**
 * Wrong one-time codes of an app that came after the right password. A trigger keeps rows from being deleted
 * or going back a version. The MAC covers the version, so the database's role alone cannot set a count back.
 */
export const CodeTallyEntity = defineEntity({
  name: 'CodeTally',
  tableName: 'operator_code_tally',
  properties: {
    /** Id of the factor: a new app has a new secret, and its count starts at zero. */
    id: p.uuid().primary(),
    inRow: p.integer().default(0),
    wrongAt: p.json().$type<readonly string[]>().default([]),
    lockedAt: p.datetime().$type<Date>().strictNullable(),
    ...guardedColumns,
  },
});
export type CodeTallyRow = InferEntity<typeof CodeTallyEntity>;

/** All fields: each of them decides whether a code is compared. */
export const guardedTallyFields = [
  'inRow',
  'wrongAt',
  'lockedAt',
] as const satisfies readonly (keyof CodeTallyRow)[];
