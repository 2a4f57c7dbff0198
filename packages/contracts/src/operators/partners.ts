import { z } from 'zod';
import { keyTypeSchema, passwordConfigurationSchema, reviewPolicySchema } from '../shared/enumerations.ts';
import { idSchema, instant, lineField } from '../shared/fields.ts';
import { logoPicture } from '../shared/logo.ts';
import { month } from '../shared/month.ts';
import { quotaSchema } from '../shared/quota.ts';
import { usageSchema } from '../shared/usage.ts';
import { approvalId, waitingChange } from './approvals.ts';
import { change, page, search } from './common.ts';
import {
  afterIssuance,
  afterIssuanceFields,
  logoInput,
  partner,
  partnerFields,
  waitingPartner,
} from './partner-record.ts';
import type { OperatorProcedure } from './procedure.ts';
import {
  endsPerHour,
  loosensPartner,
  neverNeedsSecond,
  stopsPartner,
  stopsPerHour,
} from './second-approver.ts';

const byId = z.object({ id: idSchema });

/** New secret or public key. The private key of a pair stays with us, and the partner needs no secret. */
const rotatedSecret = z.discriminatedUnion('kind', [
  z.object({ id: idSchema, kind: z.enum(['client', 'webhook']), secret: z.string() }),
  z.object({ id: idSchema, kind: z.literal('webhook-ed25519'), publicKey: z.string().describe('whpk_…') }),
]);

const issuedToken = z.object({
  tokenId: idSchema,
  token: z.string().describe('API token (rbk_…), shown once'),
  expiresAt: instant,
});

/**
 * Partner with its new secrets, which cross the bus sealed to the gateway and are opened there (`opens` of the row).
 */
const createdPartner = z.object({
  id: idSchema,
  clientId: z.string(),
  clientSecret: z.string(),
  webhookSecret: z.string(),
});

/** Operators' procedures for partners, their secrets and their API tokens. */
export const partnerProcedures = {
  'partners.list': {
    kind: 'query',
    takesTurns: true,
    service: 'intake',
    role: 'viewer',
    input: z.object(search),
    output: page(partner.omit({ tokens: true, keys: true, webhookPublicKeys: true, logo: true })),
  },
  'partners.get': { kind: 'query', service: 'intake', role: 'viewer', input: byId, output: partner },
  'partners.usage': {
    kind: 'query',
    takesTurns: true,
    service: 'intake',
    role: 'viewer',
    input: z.object({ id: idSchema, month: month.optional() }),
    output: usageSchema,
  },
  'partners.logo': {
    kind: 'query',
    service: 'intake',
    role: 'viewer',
    input: byId,
    output: logoPicture.nullable(),
  },
  'partners.create': {
    kind: 'mutation',
    service: 'intake',
    role: 'admin',
    input: z.object({
      name: partnerFields.name,
      email: partnerFields.email,
      passwordConfiguration: passwordConfigurationSchema.default('PARTNER'),
      reviewPolicy: reviewPolicySchema.default('automatic'),
      legacyPkcs12: z.boolean().default(false),
      envelope: z.boolean().default(false),
      keyType: keyTypeSchema.default('RSA-2048'),
      scopes: partnerFields.scopes.optional(),
      quota: quotaSchema.default({}),
      ...afterIssuance,
      logo: logoInput.optional(),
      ...change,
    }),
    output: z.union([createdPartner, z.object({ approvalId })]),
    opens: { clientSecret: 'client-secret', webhookSecret: 'shown-webhook-secret' },
  },
  'partners.update': {
    kind: 'mutation',
    service: 'intake',
    role: 'admin',
    input: z.object({
      id: idSchema,
      ...z.object({ ...partnerFields, ...afterIssuanceFields }).partial().shape,
      quota: quotaSchema.optional().describe('Replaces the former quota completely'),
      logo: logoInput.optional(),
      ...change,
    }),
    output: partner.extend(waitingChange),
    second: loosensPartner,
    alonePerHour: stopsPerHour,
    countsAlone: stopsPartner,
  },
  'partners.rotateSecret': {
    kind: 'mutation',
    service: 'intake',
    role: 'admin',
    input: z.object({
      id: idSchema,
      kind: z.enum(['client', 'webhook', 'webhook-ed25519']),
      immediately: z
        .boolean()
        .default(false)
        .describe(
          'Ends the replaced secret now, with the tokens issued for a client secret, or the webhook secrets or keys of that kind that would sign for another week',
        ),
      ...change,
    }),
    output: z.union([rotatedSecret, waitingPartner]),
    opens: { secret: 'rotated-secret' },
  },
  'partners.issueToken': {
    kind: 'mutation',
    service: 'intake',
    role: 'admin',
    input: z.object({
      id: idSchema,
      name: lineField(100),
      expiresAt: instant.describe('Maximum two years ahead'),
      scopes: partnerFields.scopes.optional(),
      ...change,
    }),
    output: z.union([issuedToken, waitingPartner]),
    opens: { token: 'api-token' },
  },
  'partners.revokeToken': {
    kind: 'mutation',
    service: 'intake',
    role: 'admin',
    input: z.object({ tokenId: idSchema, ...change }),
    output: z.union([z.object({ tokenId: idSchema, revokedAt: instant }), waitingPartner]),
    second: neverNeedsSecond,
    alonePerHour: endsPerHour,
  },
} as const satisfies Record<string, OperatorProcedure>;
