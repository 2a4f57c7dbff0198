import { z } from 'zod';
import { webhookEventTypeSchema } from '../rest/webhooks.ts';
import {
  certificateStatusSchema,
  familySchema,
  operatorRoleSchema,
  passwordConfigurationSchema,
  reviewPolicySchema,
  revocationReasonSchema,
  type ServiceName,
  shownRevocationReasonSchema,
  statusSchema,
  validationStatusSchema,
} from '../shared/enumerations.ts';
import {
  email,
  idSchema,
  instant,
  line,
  referenceTransaction,
  serialNumber,
  text,
  url,
} from '../shared/fields.ts';
import type { SealedPurpose } from '../shared/sealed-purposes.ts';
import { statusRecordSchema } from '../shared/status.ts';
import { termsContent, termsRecordSchema, termsTypeSchema, termsVersionLabel } from '../shared/terms.ts';
import { approvalId, approvalProcedures, waits } from './approvals.ts';
import * as audit from './audit.ts';
import { change, page, requestId, requestRow, search, timelineEntry } from './common.ts';
import { overviewOutput } from './overview.ts';
import { partnerKeyProcedures } from './partner-keys.ts';
import { partner, partnerFields, waitingPartner } from './partner-record.ts';
import { retentionProcedures } from './retention.ts';
import { reviewProcedures } from './reviews.ts';
import { loosensPartner, oneIsEnough } from './second.ts';

const byId = z.object({ id: idSchema });
const changeById = z.object({ id: idSchema, ...change });

const signIn = z.object({ email, password: text(200).min(1) });
const signedIn = z.object({ accessToken: z.string(), expiresIn: z.int(), role: operatorRoleSchema });

/** A key pair stays with us: what the partner needs of it is no secret. */
const rotatedSecret = z.discriminatedUnion('kind', [
  z.object({ id: idSchema, kind: z.enum(['client', 'webhook']), secret: z.string() }),
  z.object({ id: idSchema, kind: z.literal('webhook-ed25519'), publicKey: z.string().describe('whpk_…') }),
]);

const issuedToken = z.object({
  tokenId: idSchema,
  token: z.string().describe('rbk_…, shown once'),
  expiresAt: instant,
});

/** Secrets made by intake cross the bus sealed to the gateway, which opens them (`opens` below). */
const createdPartner = z.object({
  id: idSchema,
  clientId: z.string(),
  clientSecret: z.string(),
  webhookSecret: z.string(),
});

const terms = termsRecordSchema;

const delivery = z.object({
  id: idSchema,
  eventId: idSchema,
  requestId: idSchema,
  partnerId: idSchema,
  type: webhookEventTypeSchema,
  url,
  state: z.enum(['PENDING', 'DELIVERED', 'EXHAUSTED', 'STOPPED']),
  attempts: z.int(),
  nextAttemptAt: instant.nullable(),
  lastStatus: z.int().nullable(),
  lastError: z.string().nullable(),
  createdAt: instant,
  deliveredAt: instant.nullable(),
  purgedAt: instant.nullable(),
});

const attempt = z.object({
  number: z.int(),
  startedAt: instant,
  durationMs: z.int(),
  status: z.int().nullable(),
  outcome: z.string(),
  error: z.string().nullable(),
});

/** Where the webhooks of one partner go: scheme, host and port of its callback addresses. */
const destination = z.object({
  id: idSchema,
  partnerId: idSchema,
  destination: z.string(),
  state: z
    .enum(['FAILING', 'DISABLED', 'TRIAL'])
    .describe('DISABLED: events are stored and not sent; TRIAL: enabled by hand and not seen working yet'),
  failingSince: instant,
  lastFailedAt: instant,
  disabledAt: instant.nullable(),
});

const pinged = z.object({
  id: idSchema.describe('The webhook-id of the call'),
  acknowledged: z.boolean(),
  outcome: z.string(),
  status: z.int().nullable(),
  error: z.string().nullable().describe('In plain words, never the words of the receiver'),
  durationMs: z.int(),
});

const message = z.object({
  id: idSchema,
  requestId: idSchema,
  channel: z.enum(['email', 'sms']),
  template: z.string(),
  to: z.string().describe('Masked'),
  state: z.enum(['PENDING', 'SENT', 'FAILED', 'SUPERSEDED']),
  attempts: z.int(),
  lastError: z.string().nullable(),
  createdAt: instant,
  sentAt: instant.nullable(),
});

const certificate = z.object({
  id: idSchema,
  requestId: idSchema,
  serialNumber: z.string(),
  subject: z.string(),
  issuer: z.string(),
  profile: z.string(),
  status: certificateStatusSchema.describe('A hold shows as REVOKED, with the reason certificateHold'),
  revokedAt: instant.nullable().describe('Since when it is not valid, as CRL and OCSP say it'),
  revocationReason: shownRevocationReasonSchema.nullable(),
  notBefore: instant,
  notAfter: instant,
  issuedAt: instant,
});

/** By id or by serial number. */
const certificateName = {
  id: idSchema.optional(),
  serialNumber: serialNumber.optional(),
} as const;
const isNamed = [
  ({ id, serialNumber }: { id?: string | undefined; serialNumber?: string | undefined }) =>
    id !== undefined || serialNumber !== undefined,
  'id or serialNumber is required',
] as const;

const certificateDetail = certificate.extend({
  keyAlgorithm: z.string(),
  requestedNotAfter: instant.describe('The end that the period asked for'),
  cappedBy: z.enum(['ISSUER', 'APPOINTMENT']).nullable(),
  heldAt: instant.nullable(),
  crlUri: z.string().describe('The CRL that speaks of it'),
  pem: z.string().nullable().describe('null for viewers: the subject stands in it'),
  /** Every decision about it, oldest first. */
  history: z.array(
    z.object({
      at: instant,
      action: z.string(),
      actor: z.string(),
      revocationReason: z.string().nullable(),
      reason: z.string().nullable(),
    }),
  ),
});

const requestFilters = {
  status: statusSchema.optional(),
  validationStatus: validationStatusSchema.optional(),
  family: familySchema.optional(),
  partnerId: idSchema.optional(),
  identificationNumber: line(20).optional().describe('For reviewers and administrators'),
  referenceTransaction: referenceTransaction.optional(),
} as const;

/** What one operators' procedure is: which service answers, the least role, the shapes. */
export interface OperatorProcedure {
  readonly kind: 'query' | 'mutation';
  readonly service: ServiceName;
  /** The field of the input that names the service which answers, where several do. */
  readonly servedBy?: 'service';
  readonly role: z.infer<typeof operatorRoleSchema> | 'public';
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  /** Fields of the output that arrive sealed to the gateway, for the operator who asks, and are opened there. */
  readonly opens?: Readonly<Record<string, SealedPurpose>>;
  /** It shows what is known of applicants: the service writes down who read of whom before it answers. */
  readonly readsApplicants?: true;
  /**
   * Of an administrator's change: whether it takes a second one, by the record as it is and as it would be. Where a row
   * says nothing, it always does.
   */
  second?(before: object | null, after: object): boolean;
}

const query = 'query' as const;
const mutation = 'mutation' as const;
const readsApplicants = true as const;

/** Every operators' procedure at `/trpc`, by its path. */
export const operatorProcedures = {
  'auth.signIn': { kind: mutation, service: 'gateway', role: 'public', input: signIn, output: signedIn },
  'requests.search': {
    kind: query,
    service: 'intake',
    role: 'viewer',
    input: z.object({ ...search, ...requestFilters }),
    output: page(requestRow),
    readsApplicants,
  },
  'requests.get': {
    kind: query,
    service: 'intake',
    role: 'viewer',
    input: requestId,
    output: statusRecordSchema.extend({
      family: familySchema,
      partnerId: idSchema,
      callbackUrl: z.string().nullable(),
    }),
    readsApplicants,
  },
  'requests.timeline': {
    kind: query,
    service: 'intake',
    role: 'viewer',
    input: requestId,
    output: z.object({ items: z.array(timelineEntry) }),
  },
  'requests.rerun': {
    kind: mutation,
    service: 'intake',
    role: 'reviewer',
    input: requestId.extend(change),
    output: requestRow,
  },
  'requests.cancel': {
    kind: mutation,
    service: 'intake',
    role: 'reviewer',
    input: requestId.extend(change),
    output: requestRow,
  },
  ...retentionProcedures,
  ...reviewProcedures,
  ...approvalProcedures,
  'partners.list': {
    kind: query,
    service: 'intake',
    role: 'viewer',
    input: z.object(search),
    output: page(partner.omit({ tokens: true, keys: true, webhookPublicKeys: true })),
  },
  'partners.get': { kind: query, service: 'intake', role: 'viewer', input: byId, output: partner },
  'partners.create': {
    kind: mutation,
    service: 'intake',
    role: 'admin',
    input: z.object({
      name: partnerFields.name,
      email: partnerFields.email,
      passwordConfiguration: passwordConfigurationSchema.default('PARTNER'),
      reviewPolicy: reviewPolicySchema.default('automatic'),
      legacyPkcs12: z.boolean().default(false),
      scopes: partnerFields.scopes.optional(),
      ...change,
    }),
    output: z.union([createdPartner, z.object({ approvalId })]),
    opens: { clientSecret: 'client-secret', webhookSecret: 'shown-webhook-secret' },
  },
  'partners.update': {
    kind: mutation,
    service: 'intake',
    role: 'admin',
    input: z.object({ id: idSchema, ...z.object(partnerFields).partial().shape, ...change }),
    output: partner.extend(waits),
    second: loosensPartner,
  },
  'partners.rotateSecret': {
    kind: mutation,
    service: 'intake',
    role: 'admin',
    input: z.object({
      id: idSchema,
      kind: z.enum(['client', 'webhook', 'webhook-ed25519']),
      immediately: z
        .boolean()
        .default(false)
        .describe(
          'What is replaced ends now: also the tokens that the client secret gave, and webhook secrets or keys of that kind that would sign for a week more',
        ),
      ...change,
    }),
    output: z.union([rotatedSecret, waitingPartner]),
    opens: { secret: 'rotated-secret' },
  },
  ...partnerKeyProcedures,
  'partners.issueToken': {
    kind: mutation,
    service: 'intake',
    role: 'admin',
    input: z.object({
      id: idSchema,
      name: line(100),
      expiresAt: instant.describe('At most two years ahead'),
      scopes: partnerFields.scopes.optional(),
      ...change,
    }),
    output: z.union([issuedToken, waitingPartner]),
    opens: { token: 'api-token' },
  },
  'partners.revokeToken': {
    kind: mutation,
    service: 'intake',
    role: 'admin',
    input: z.object({ tokenId: idSchema, ...change }),
    output: z.object({ tokenId: idSchema, revokedAt: instant }),
    second: oneIsEnough,
  },
  'terms.list': {
    kind: query,
    service: 'terms',
    role: 'viewer',
    input: z.object({ ...search, type: termsTypeSchema.optional() }),
    output: page(terms),
  },
  'terms.createVersion': {
    kind: mutation,
    service: 'terms',
    role: 'admin',
    input: z.object({ type: termsTypeSchema, version: termsVersionLabel, content: termsContent, ...change }),
    output: terms,
  },
  'terms.activate': { kind: mutation, service: 'terms', role: 'admin', input: changeById, output: terms },
  'deliveries.search': {
    kind: query,
    service: 'notifier',
    role: 'viewer',
    input: z.object({
      ...search,
      state: delivery.shape.state.optional(),
      partnerId: idSchema.optional(),
      requestId: idSchema.optional(),
    }),
    output: page(delivery),
  },
  'deliveries.get': {
    kind: query,
    service: 'notifier',
    role: 'viewer',
    input: byId,
    output: delivery.extend({ attemptLog: z.array(attempt) }),
  },
  'deliveries.resend': {
    kind: mutation,
    service: 'notifier',
    role: 'reviewer',
    input: changeById,
    output: delivery,
  },
  'deliveries.recover': {
    kind: mutation,
    service: 'notifier',
    role: 'reviewer',
    input: z.object({
      partnerId: idSchema,
      from: instant.describe('Time of the event, inclusive'),
      to: instant.describe('Exclusive'),
      state: z
        .enum(['EXHAUSTED', 'STOPPED', 'DELIVERED'])
        .optional()
        .describe('Absent: all that were not delivered'),
      ...change,
    }),
    output: z.object({
      count: z.int(),
      complete: z.boolean().describe('False where more are left than one call takes: call again'),
    }),
  },
  'deliveries.ping': {
    kind: mutation,
    service: 'notifier',
    role: 'reviewer',
    input: z.object({ partnerId: idSchema, url, ...change }),
    output: pinged,
  },
  'deliveries.destinations': {
    kind: query,
    service: 'notifier',
    role: 'viewer',
    input: z.object({
      ...search,
      partnerId: idSchema.optional(),
      state: destination.shape.state.optional(),
    }),
    output: page(destination),
  },
  'deliveries.enableDestination': {
    kind: mutation,
    service: 'notifier',
    role: 'reviewer',
    input: z.object({ partnerId: idSchema, url: url.describe('Any address of the destination'), ...change }),
    output: destination,
  },
  'messages.search': {
    kind: query,
    service: 'notifier',
    role: 'viewer',
    input: z.object({ ...search, state: message.shape.state.optional(), requestId: idSchema.optional() }),
    output: page(message),
  },
  'messages.resend': {
    kind: mutation,
    service: 'notifier',
    role: 'reviewer',
    input: changeById,
    output: message,
  },
  'certificates.search': {
    kind: query,
    service: 'generation',
    role: 'viewer',
    input: z.object({ ...search, serialNumber: line(40).optional(), requestId: idSchema.optional() }),
    output: page(certificate),
    readsApplicants,
  },
  'certificates.get': {
    kind: query,
    service: 'generation',
    role: 'viewer',
    input: z.object(certificateName).refine(...isNamed),
    output: certificateDetail,
    readsApplicants,
  },
  'certificates.revoke': {
    kind: mutation,
    service: 'generation',
    role: 'admin',
    input: z
      .object({
        ...certificateName,
        revocationReason: revocationReasonSchema
          .optional()
          .describe('Absent: `reason` where that is one of these words, else unspecified'),
        ...change,
      })
      .refine(...isNamed),
    output: certificate,
  },
  'certificates.hold': {
    kind: mutation,
    service: 'generation',
    role: 'admin',
    input: z.object({ ...certificateName, ...change }).refine(...isNamed),
    output: certificate,
  },
  'certificates.release': {
    kind: mutation,
    service: 'generation',
    role: 'admin',
    input: z.object({ ...certificateName, ...change }).refine(...isNamed),
    output: certificate,
  },
  'audit.list': {
    kind: query,
    service: 'generation',
    servedBy: 'service',
    role: 'viewer',
    input: audit.listInput,
    output: audit.listOutput,
  },
  'audit.verify': {
    kind: query,
    service: 'generation',
    servedBy: 'service',
    role: 'admin',
    input: audit.verifyInput,
    output: audit.verifyOutput,
  },
  overview: {
    kind: query,
    service: 'intake',
    role: 'viewer',
    input: z.object({}).optional(),
    output: overviewOutput,
  },
} as const satisfies Record<string, OperatorProcedure>;

export type OperatorPath = keyof typeof operatorProcedures;
export type OperatorInput<P extends OperatorPath> = z.infer<(typeof operatorProcedures)[P]['input']>;
export type OperatorOutput<P extends OperatorPath> = z.infer<(typeof operatorProcedures)[P]['output']>;

/** The procedures that a service answers; those of the audit logs are answered by each service that keeps one. */
export type OperatorPathOf<Service extends ServiceName> = {
  [P in OperatorPath]: (typeof operatorProcedures)[P] extends { readonly servedBy: 'service' }
    ? Service extends audit.AuditService
      ? P
      : never
    : (typeof operatorProcedures)[P]['service'] extends Service
      ? P
      : never;
}[OperatorPath];

/** The changes of a service that take the role of an administrator, and a second one unless their row says otherwise. */
export type AdministratorPathOf<Service extends ServiceName> = {
  [P in OperatorPathOf<Service>]: (typeof operatorProcedures)[P] extends {
    readonly kind: 'mutation';
    readonly role: 'admin';
  }
    ? P extends `approvals.${string}`
      ? never
      : P
    : never;
}[OperatorPathOf<Service>];
