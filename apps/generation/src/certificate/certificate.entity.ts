import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { RevocationReason } from '@rubrica/contracts/shared/enumerations';

/** Issued certificate. The statement that ends an issuance writes it; this entity only reads it. */
export const Certificate = defineEntity({
  name: 'Certificate',
  tableName: 'certificate',
  properties: {
    id: p.uuid().primary(),
    requestId: p.uuid(),
    /** Partner of the order. */
    partnerId: p.uuid(),
    attempt: p.integer(),
    /** Upper-case hexadecimal, 30 digits; 40 in certificates of earlier releases. */
    serial: p.text(),
    /** Name of the authority that signed it. */
    issuer: p.text(),
    profile: p.text(),
    keyAlgorithm: p.text(),
    subject: p.text(),
    notBefore: p.datetime(),
    notAfter: p.datetime(),
    requestedNotAfter: p.datetime(),
    cappedBy: p.text().$type<'ISSUER' | 'APPOINTMENT'>().nullable(),
    /** DER; loaded on request only. */
    der: p.blob().lazy(),
    issuedAt: p.datetime(3),
    revokedAt: p.datetime().nullable(),
    revocationReason: p.text().$type<RevocationReason>().nullable(),
    /** Start of the certificate hold, kept when it is revoked. */
    heldAt: p.datetime(3).nullable(),
    statusVersion: p.integer(),
    crlShard: p.integer(),
  },
});
export type Certificate = InferEntity<typeof Certificate>;
