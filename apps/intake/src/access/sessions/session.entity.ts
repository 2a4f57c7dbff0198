import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { SessionMethod, SessionScope } from '@rubrica/contracts/shared/enumerations';
import { guardedColumns } from '@rubrica/database/guarded';

export const OperatorSessionEntity = defineEntity({
  name: 'OperatorSession',
  tableName: 'operator_session',
  properties: {
    id: p.uuid().primary(),
    operatorId: p.uuid(),
    /**
     * Version of the operator's row when the session was opened: it ends with any right that the operator
     * loses.
     */
    gen: p.integer(),
    method: p.text().$type<SessionMethod>(),
    scope: p.text().$type<SessionScope>(),
    /**
     * Hash of the part that all its refresh tokens share, by which each of them is recognised, however old.
     */
    familySha256: p.text(),
    refreshSha256: p.text(),
    previousSha256: p.text().$type<string>().strictNullable(),
    sealedRefreshToken: p.text(),
    createdAt: p.datetime(),
    /** Time at which its tokens were last renewed. */
    lastUsedAt: p.datetime(),
    expiresAt: p.datetime(),
    endedAt: p.datetime().$type<Date>().strictNullable(),
    address: p.text(),
    userAgent: p.text(),
    ...guardedColumns,
  },
});
export type OperatorSession = InferEntity<typeof OperatorSessionEntity>;

/** Fields that give a right or take one. */
export const guardedSessionFields = [
  'operatorId',
  'gen',
  'method',
  'scope',
  'familySha256',
  'refreshSha256',
  'previousSha256',
  'lastUsedAt',
  'expiresAt',
  'endedAt',
] as const satisfies readonly (keyof OperatorSession)[];
