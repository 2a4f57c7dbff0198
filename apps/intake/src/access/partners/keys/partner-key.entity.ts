import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { partnerKeyAlgorithms } from '@rubrica/contracts/operators/partner-record';
import { guardedColumns } from '@rubrica/database/guarded';

export type KeyAlgorithm = (typeof partnerKeyAlgorithms)[number];

/** Members that make up the key. Other members that a partner sent are not stored. */
export type PublicJwk = Readonly<Record<string, string>>;

export const PartnerKeyEntity = defineEntity({
  name: 'PartnerKey',
  tableName: 'partner_key',
  properties: {
    id: p.uuid().primary(),
    partnerId: p.uuid(),
    algorithm: p.text().$type<KeyAlgorithm>(),
    jwk: p.json().$type<PublicJwk>(),
    thumbprint: p.text(),
    createdAt: p.datetime(),
    removedAt: p.datetime().$type<Date>().strictNullable(),
    ...guardedColumns,
  },
});
export type PartnerKey = InferEntity<typeof PartnerKeyEntity>;
