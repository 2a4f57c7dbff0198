import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type {
  CertificateType,
  FurtherEventType,
  KeyType,
  PasswordConfiguration,
  ReviewPolicy,
  Scope,
} from '@rubrica/contracts/shared/enumerations';
import type { Quota } from '@rubrica/contracts/shared/quota';
import { guardedColumns } from '@rubrica/database/guarded';

export const PartnerEntity = defineEntity({
  name: 'Partner',
  tableName: 'partner',
  properties: {
    id: p.uuid().primary(),
    clientId: p.text(),
    clientSecretSha256: p.text(),
    /** False if the partner's keys alone grant access. */
    clientSecretEnabled: p.boolean(),
    name: p.text(),
    email: p.text(),
    passwordConfiguration: p.text().$type<PasswordConfiguration>(),
    reviewPolicy: p.text().$type<ReviewPolicy>(),
    legacyPkcs12: p.boolean(),
    keyType: p.text().$type<KeyType>(),
    /** Gives no protection, so it is not guarded. */
    envelope: p.boolean().default(false),
    /** Gives no right: one administrator may raise it. */
    quota: p.json<Quota>().default('{}'),
    /** Give no protection either: messages to the subscriber go to the address on file. */
    events: p.array<FurtherEventType>().default([]),
    holderReminders: p.array<CertificateType>().default(['TRADITIONAL_SIGNATURE']),
    holderRenewal: p.boolean().default(false),
    scopes: p.array<Scope>(),
    enabled: p.boolean(),
    /** Version that each loss of a right raises; tokens of an earlier one are worthless. */
    gen: p.integer().default(1),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
    ...guardedColumns,
  },
});
export type Partner = InferEntity<typeof PartnerEntity>;

export const ApiTokenEntity = defineEntity({
  name: 'ApiToken',
  tableName: 'api_token',
  properties: {
    id: p.uuid().primary(),
    partnerId: p.uuid(),
    name: p.text(),
    tokenSha256: p.text(),
    scopes: p.array<Scope>(),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
    revokedAt: p.datetime().$type<Date>().strictNullable(),
    ...guardedColumns,
  },
});
export type ApiToken = InferEntity<typeof ApiTokenEntity>;

/**
 * Secret (`whsec_…`) or private key (`whsk_…`), sealed to notifier: intake stores it and cannot read it.
 * Several of a kind overlap in a rotation.
 */
export const WebhookSecretEntity = defineEntity({
  name: 'WebhookSecret',
  tableName: 'webhook_secret',
  properties: {
    id: p.uuid().primary(),
    partnerId: p.uuid(),
    sealed: p.text(),
    /** Public half (`whpk_…`) of a key pair; null for a shared secret. */
    publicKey: p.text().$type<string>().strictNullable(),
    createdAt: p.datetime(),
    expiresAt: p.datetime().$type<Date>().strictNullable(),
    ...guardedColumns,
  },
});
export type WebhookSecret = InferEntity<typeof WebhookSecretEntity>;
