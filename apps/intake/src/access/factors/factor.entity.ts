import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { FactorKind } from '@rubrica/contracts/operators/factors';
import { guardedColumns } from '@rubrica/database/guarded';

export const OperatorFactorEntity = defineEntity({
  name: 'OperatorFactor',
  tableName: 'operator_factor',
  properties: {
    id: p.uuid().primary(),
    operatorId: p.uuid(),
    kind: p.text().$type<FactorKind>(),
    name: p.text(),
    /** Secret of one-time codes. */
    sealedSecret: p.text().$type<string>().strictNullable(),
    /** Step of the last accepted code: none counts twice. */
    lastStep: p.integer().default(0),
    /** Credential of a passkey, with its key and counter; Base64url. */
    credentialId: p.text().$type<string>().strictNullable(),
    publicKey: p.text().$type<string>().strictNullable(),
    counter: p.bigint('number').default(0),
    transports: p.json().$type<readonly string[]>().default([]),
    createdAt: p.datetime(),
    /** Null until its owner has shown that it works. */
    confirmedAt: p.datetime().$type<Date>().strictNullable(),
    lastUsedAt: p.datetime().$type<Date>().strictNullable(),
    ...guardedColumns,
  },
});
export type OperatorFactor = InferEntity<typeof OperatorFactorEntity>;

/** Fields that give a right or take one. */
export const guardedFactorFields = [
  'operatorId',
  'kind',
  'sealedSecret',
  'lastStep',
  'credentialId',
  'publicKey',
  'counter',
  'confirmedAt',
] as const satisfies readonly (keyof OperatorFactor)[];

export const OperatorRecoveryCodeEntity = defineEntity({
  name: 'OperatorRecoveryCode',
  tableName: 'operator_recovery_code',
  properties: {
    id: p.uuid().primary(),
    operatorId: p.uuid(),
    codeSha256: p.text(),
    usedAt: p.datetime().$type<Date>().strictNullable(),
    ...guardedColumns,
  },
});
