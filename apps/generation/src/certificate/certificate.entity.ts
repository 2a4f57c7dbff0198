import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { RevocationReason } from '@rubrica/contracts/shared/enumerations';

/** An issued certificate. Written by the statement that ends an issuance; read through here. */
export const Certificate = defineEntity({
  name: 'Certificate',
  tableName: 'certificate',
  properties: {
    id: p.uuid().primary(),
    requestId: p.uuid(),
    /** Whose order it was. */
    partnerId: p.uuid(),
    attempt: p.integer(),
    /** Upper-case hexadecimal, 30 digits; 40 in certificates of earlier releases. */
    serial: p.text(),
    /** Name of the authority that signed. */
    issuer: p.text(),
    profile: p.text(),
    keyAlgorithm: p.text(),
    subject: p.text(),
    notBefore: p.datetime(),
    notAfter: p.datetime(),
    requestedNotAfter: p.datetime(),
    cappedBy: p.text().$type<'ISSUER' | 'APPOINTMENT'>().nullable(),
    /** DER; not loaded unless asked for. */
    der: p.blob().lazy(),
    issuedAt: p.datetime(3),
    revokedAt: p.datetime().nullable(),
    revocationReason: p.text().$type<RevocationReason>().nullable(),
    /** Since when it is on hold, or was until it was revoked. */
    heldAt: p.datetime(3).nullable(),
    statusVersion: p.integer(),
    crlShard: p.integer(),
  },
});
export type Certificate = InferEntity<typeof Certificate>;
