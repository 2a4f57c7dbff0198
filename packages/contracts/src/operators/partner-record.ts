import { z } from 'zod';
import {
  certificateTypeSchema,
  furtherEventTypeSchema,
  keyTypeSchema,
  passwordConfigurationSchema,
  reviewPolicySchema,
  scopeSchema,
} from '../shared/enumerations.ts';
import { email, idSchema, instant, lineField, sha256Hex } from '../shared/fields.ts';
import { logoTypeSchema } from '../shared/logo.ts';
import { quotaSchema } from '../shared/quota.ts';
import { approvalId } from './approvals.ts';

/** Types of public keys with which a partner may sign its assertions (RFC 7523). */
export const partnerKeyAlgorithms = ['RSA', 'P-256', 'Ed25519'] as const;

export const partnerKey = z.object({
  id: idSchema,
  algorithm: z.enum(partnerKeyAlgorithms),
  thumbprint: z.string().describe('RFC 7638 thumbprint of the key (SHA-256, base64url)'),
  createdAt: instant,
  removedAt: instant.nullable(),
});

export const partnerFields = {
  name: lineField(100),
  email,
  passwordConfiguration: passwordConfigurationSchema,
  reviewPolicy: reviewPolicySchema,
  legacyPkcs12: z.boolean(),
  keyType: keyTypeSchema.describe(
    'Key type of certificates issued from now on. Programs based on node-forge, such as invoice signers, open only RSA',
  ),
  scopes: z.array(scopeSchema).min(1).max(4),
  envelope: z
    .boolean()
    .describe(
      'Webhook bodies have an envelope, `{"type","id","occurredAt","data"}`, and the code of an error',
    ),
  enabled: z.boolean(),
  clientSecretEnabled: z
    .boolean()
    .describe('False: the partner gets tokens only with its keys, and its client secret is not accepted'),
} as const;

/** Settings for the time after issuance. */
export const afterIssuanceFields = {
  events: z
    .array(furtherEventTypeSchema)
    .max(10)
    .describe('Optional events that the partner receives, in addition to the events for all partners'),
  holderReminders: z
    .array(certificateTypeSchema)
    .max(10)
    .describe('Certificate types whose subscribers get an e-mail reminder of the end'),
  holderRenewal: z
    .boolean()
    .describe('Subscribers may renew their certificate themselves, by the link of a reminder'),
} as const;

/** Settings after issuance, with the defaults of a partner that sets none. */
export const afterIssuance = z.object({
  events: afterIssuanceFields.events.default([]),
  holderReminders: afterIssuanceFields.holderReminders.default(['TRADITIONAL_SIGNATURE']),
  holderRenewal: afterIssuanceFields.holderRenewal.default(false),
}).shape;

/** Logo of a partner. Intake checks its content. */
export const logoInput = z
  .base64()
  .max(65_536)
  .nullable()
  .describe(
    'Logo that applicants see next to the name: PNG, JPEG or WebP in base64, at most 48 KiB and 800 x 400 pixels. null removes it',
  );

export const partner = z.object({
  id: idSchema,
  clientId: z.string(),
  ...partnerFields,
  quota: quotaSchema.default({}),
  ...afterIssuance,
  tokens: z.array(
    z.object({
      id: idSchema,
      name: z.string(),
      createdAt: instant,
      expiresAt: instant,
      revokedAt: instant.nullable(),
    }),
  ),
  keys: z.array(partnerKey).describe('Newest first, including removed keys'),
  webhookPublicKeys: z
    .array(z.string())
    .describe('Public keys (whpk_…) that verify `v1a` signatures, newest first; two during a rotation'),
  logo: z
    .object({ type: logoTypeSchema, sha256: sha256Hex })
    .nullable()
    .default(null)
    .describe('Type and digest of the logo; `partners.logo` answers the picture'),
  createdAt: instant,
});

/** Present record, while a change of it waits for a second administrator. */
export const waitingPartner = partner.extend({ approvalId });
