import { z } from 'zod';
import {
  certificateTypeSchema,
  furtherEventTypeSchema,
  keyTypeSchema,
  passwordConfigurationSchema,
  reviewPolicySchema,
  scopeSchema,
} from '../shared/enumerations.ts';
import { email, idSchema, instant, line, sha256Hex } from '../shared/fields.ts';
import { logoTypeSchema } from '../shared/logo.ts';
import { quotaSchema } from '../shared/quota.ts';
import { approvalId } from './approvals.ts';

/** The kinds of public keys that a partner may sign its assertions with (RFC 7523). */
export const partnerKeyAlgorithms = ['RSA', 'P-256', 'Ed25519'] as const;

export const partnerKey = z.object({
  id: idSchema,
  algorithm: z.enum(partnerKeyAlgorithms),
  thumbprint: z.string().describe('Thumbprint of the key: RFC 7638, SHA-256, base64url'),
  createdAt: instant,
  removedAt: instant.nullable(),
});

export const partnerFields = {
  name: line(100),
  email,
  passwordConfiguration: passwordConfigurationSchema,
  reviewPolicy: reviewPolicySchema,
  legacyPkcs12: z.boolean(),
  keyType: keyTypeSchema.describe(
    'For certificates that are issued from now on. Programs on node-forge, invoice signers among them, open RSA alone',
  ),
  scopes: z.array(scopeSchema).min(1).max(4),
  envelope: z
    .boolean()
    .describe(
      'Webhook bodies say their type themselves: `{"type","id","occurredAt","data"}`, with the code of an error',
    ),
  enabled: z.boolean(),
  clientSecretEnabled: z
    .boolean()
    .describe('False: the partner gets tokens by its keys alone, and its client secret opens nothing'),
} as const;

/** What a partner has to do with its certificates after their issuance. */
export const afterIssuanceFields = {
  events: z
    .array(furtherEventTypeSchema)
    .max(10)
    .describe('Further events that the partner is told of, beside those that everybody gets'),
  holderReminders: z
    .array(certificateTypeSchema)
    .max(10)
    .describe('Types of certificates whose subscribers are reminded of the end by mail'),
  holderRenewal: z.boolean().describe('Subscribers may renew by themselves, by the link of a reminder'),
} as const;

/** Of a partner that says nothing of them. */
export const afterIssuance = z.object({
  events: afterIssuanceFields.events.default([]),
  holderReminders: afterIssuanceFields.holderReminders.default(['TRADITIONAL_SIGNATURE']),
  holderRenewal: afterIssuanceFields.holderRenewal.default(false),
}).shape;

/** Its content is judged by intake. */
export const logoInput = z
  .base64()
  .max(65_536)
  .nullable()
  .describe(
    'What applicants see beside the name: PNG, JPEG or WebP, at most 48 KiB and 800 x 400 pixels, base64. null takes it away',
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
  keys: z.array(partnerKey).describe('Newest first; those that were removed stay in the list'),
  webhookPublicKeys: z
    .array(z.string())
    .describe('whpk_…: what `v1a` signatures are verified with, newest first; two during a rotation'),
  logo: z
    .object({ type: logoTypeSchema, sha256: sha256Hex })
    .nullable()
    .default(null)
    .describe('That there is one; `partners.logo` gives it'),
  createdAt: instant,
});

/** The record as it is, while a change of it waits for a second administrator. */
export const waitingPartner = partner.extend({ approvalId });
