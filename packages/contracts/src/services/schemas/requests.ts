import { z } from 'zod';
import { serviceWarningSchema } from '../../rest/dry-run.ts';
import { advanceShape } from '../../rest/sandbox.ts';
import {
  familySchema,
  partnerRevocationReasonSchema,
  statusSchema,
  validationStatusSchema,
} from '../../shared/enumerations.ts';
import { errorDetailSchema } from '../../shared/errors.ts';
import {
  idSchema,
  instant,
  lineField,
  referenceTransaction,
  sealed,
  serialNumber,
  text,
} from '../../shared/fields.ts';
import { quotaLeftSchema } from '../../shared/quota.ts';
import { renewalOfSchema, statusRecordSchema } from '../../shared/status.ts';
import { languages } from './applicant-messages.ts';
import { evidenceBundleSchema } from './evidence.ts';

/** Faults that the gateway found; intake adds its own and answers once. */
const faults = z.array(errorDetailSchema).max(200);

const looseFields = z.record(text(100), z.union([text(2048), z.boolean()]));

export const registerInput = z.object({
  /** Minted by the gateway before any upload: a repeat with the same id is answered with the stored result. */
  requestId: idSchema,
  family: familySchema,
  fields: looseFields,
  faults,
  /** File fields that were sent, faulty or not, with the detected type of their content; null if it is unknown. */
  files: z
    .array(z.object({ field: text(60), mediaType: text(100).nullable() }))
    .max(20)
    .default([]),
  /** Well-formed password, sealed to generation; absent when none was sent. */
  sealedPassword: sealed.optional(),
  evidence: evidenceBundleSchema.optional(),
  /** Caller details, as evidence of the acceptance, where registering accepts the terms. */
  acceptance: z
    .object({
      language: z.enum(languages),
      remoteAddress: text(64),
      userAgent: text(300).nullable(),
    })
    .optional(),
});
export type RegisterInput = z.infer<typeof registerInput>;

export const registerOutput = z.object({
  requestId: idSchema,
  referenceTransaction: z.string(),
  status: statusSchema,
  validationStatus: validationStatusSchema,
  createdAt: instant,
  /** Time at which it ends unless it is finished, for families with such a limit. */
  expiresAt: instant.optional(),
  errors: z.array(errorDetailSchema),
  /** Present if the partner has a quota for its type. */
  quota: quotaLeftSchema.optional(),
});

/** Registration that is only checked; its evidences stay with the gateway. */
export const dryRunInput = registerInput.omit({ evidence: true, acceptance: true });
export const dryRunOutput = z.object({ warnings: z.array(serviceWarningSchema) });

/** Advances the clock of a request of any family. */
export const advanceInput = z.object(advanceShape);
export const advanceOutput = z.object({
  referenceTransaction: z.string(),
  advancedDays: z.int(),
  now: instant,
});

/**
 * Identifies a request by id, by referenceTransaction, or by both (which must agree), always within the caller's own
 * partner.
 */
export const requestIdentifier = z.object({
  family: familySchema,
  requestId: idSchema.optional(),
  referenceTransaction: referenceTransaction.optional(),
});

/** Id of an own request, needed to seal something for it. */
export const identifyOutput = z.object({ requestId: idSchema });

/** Request of the linked partner: only this family counts retries and resends links. */
const linkedPartnerIdentifier = requestIdentifier.extend({ family: z.literal('TV') });

/** Correction of a regular request in error; without any correction the failed step runs again. */
export const correctInput = requestIdentifier.extend({
  family: z.literal('FR'),
  corrections: looseFields,
  faults,
  files: registerInput.shape.files,
  evidence: evidenceBundleSchema.optional(),
});
export type CorrectInput = z.infer<typeof correctInput>;

export const retryInput = linkedPartnerIdentifier.extend({
  corrections: looseFields,
  faults,
  sealedPassword: sealed.optional(),
  evidence: evidenceBundleSchema.optional(),
});

export const retryOutput = z.object({
  requestId: idSchema,
  referenceTransaction: z.string(),
  status: statusSchema,
  validationStatus: validationStatusSchema,
  retryCount: z.int(),
  retriesRemaining: z.int(),
  updatedAt: instant,
});

/** Families with an operation to cancel. */
const cancellableFamily = z.enum(['TV', 'FS']);
export type CancellableFamily = z.infer<typeof cancellableFamily>;

export const cancelInput = requestIdentifier.extend({
  family: cancellableFamily,
  reason: text(500).optional(),
  faults,
});

export const resendInput = linkedPartnerIdentifier.extend({ faults });

export const cancelOutput = z.object({
  requestId: idSchema,
  referenceTransaction: z.string(),
  status: statusSchema,
  validationStatus: validationStatusSchema,
  updatedAt: instant,
});

export const resendOutput = cancelOutput.extend({
  sentTo: z.string(),
  resendCount: z.int(),
  resendsRemaining: z.int(),
  linkExpiresAt: instant,
});

/** Certificate to renew, by serial number, by referenceTransaction, or by both, with the new values. */
export const renewInput = z.object({
  /** Id of the new request, minted by the gateway: a repeat with the same id is answered with the stored result. */
  requestId: idSchema,
  serialNumber: serialNumber.optional(),
  referenceTransaction: referenceTransaction.optional(),
  newReferenceTransaction: referenceTransaction,
  /** Values that replace those of the former request, of any family; fields it does not have are ignored. */
  fields: looseFields,
  faults,
  files: registerInput.shape.files,
  sealedPassword: sealed.optional(),
  evidence: evidenceBundleSchema.optional(),
  supersede: z.boolean(),
});
export type RenewInput = z.infer<typeof renewInput>;
export const renewOutput = registerOutput.extend({ family: familySchema, renewalOf: renewalOfSchema });
export const renewDryRunInput = renewInput.omit({ evidence: true });
export const renewDryRunOutput = dryRunOutput.extend({ family: familySchema });

/**
 * Identifies a certificate by serial number, by referenceTransaction, or by both (which must agree), always within the
 * caller's own partner.
 */
export const revokeCertificateInput = z.object({
  serialNumber: serialNumber.optional(),
  referenceTransaction: referenceTransaction.optional(),
  reason: partnerRevocationReasonSchema,
  comment: lineField(500).optional(),
});

export const statusOutput = statusRecordSchema;
