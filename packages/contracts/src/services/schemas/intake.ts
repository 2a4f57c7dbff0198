import { z } from 'zod';
import { webhookEventTypeSchema } from '../../rest/webhooks.ts';
import {
  applicationTypeSchema,
  certificateTypeSchema,
  evidenceTypes,
  familySchema,
  operatorRoleSchema,
  partnerRevocationReasonSchema,
  periodSchema,
  scopeSchema,
  statusSchema,
  validationStatusSchema,
} from '../../shared/enumerations.ts';
import { errorDetailSchema } from '../../shared/errors.ts';
import {
  idSchema,
  instant,
  line,
  referenceTransaction,
  sealed,
  serialNumber,
  sha256Hex,
  text,
} from '../../shared/fields.ts';
import { statusRecordSchema } from '../../shared/status.ts';
import { languages } from './applicant-messages.ts';
import { grant } from './grants.ts';

/** Faults the gateway found itself; intake adds its own and answers once. */
const faults = z.array(errorDetailSchema).max(200);

/** Too large to be looked through for what base64 is: it is decoded, not stored as it came. */
export const storedContent = z.string();

/**
 * An object of the evidence bucket. The gateway writes chunks and nothing else there; this entry is kept in intake's row
 * of the evidence, so that nobody who may write to the bucket can put other chunks in their place.
 */
const objectEntrySchema = z.object({
  /** Of the chunks' subjects: `$O.EVIDENCE.C.<id>.<n>`. */
  id: z.string().regex(/^[0-9a-f]{32}$/),
  chunks: z.int().min(1).max(100_000),
  sizeBytes: z.int().min(1),
  /** Of all bytes as they are stored. */
  sha256: sha256Hex,
});

/**
 * A file as it crosses the bus: encrypted with the request's own key (AES-256-GCM, nonce first, tag last), either
 * inside the call (`content`, base64) or in the object store (`object`).
 */
export const storedFileSchema = z.object({
  mediaType: text(100),
  size: z.int().min(0),
  sha256: sha256Hex,
  content: storedContent.optional(),
  object: objectEntrySchema.optional(),
});
export type StoredFile = z.infer<typeof storedFileSchema>;

const evidenceReferenceSchema = z.object({
  evidenceId: idSchema,
  /** The field of the body that the file came in, where it has one of its own. */
  field: text(60).optional(),
  evidenceType: z.enum(evidenceTypes).optional(),
  validatorUrl: text(2048).optional(),
  file: storedFileSchema.optional(),
});
export type EvidenceReference = z.infer<typeof evidenceReferenceSchema>;

/** Files of one call and the AES-256 key they are encrypted with, sealed to intake. */
export const evidenceBundleSchema = z.object({
  key: sealed,
  items: z.array(evidenceReferenceSchema).max(20),
  /** Evidences that could not be taken; the request is accepted with these errors. */
  errors: z.array(errorDetailSchema).max(20),
});
export type EvidenceBundle = z.infer<typeof evidenceBundleSchema>;

const looseFields = z.record(text(100), z.union([text(2048), z.boolean()]));

export const registerInput = z.object({
  /** Minted by the gateway before any upload: a repeat with the same id is answered with the stored result. */
  requestId: idSchema,
  family: familySchema,
  fields: looseFields,
  faults,
  /** File fields that were given, at fault or not, with what their content is; null where it cannot be told. */
  files: z
    .array(z.object({ field: text(60), mediaType: text(100).nullable() }))
    .max(20)
    .default([]),
  /** The password is well-formed and sealed to generation; absent when none was given. */
  sealedPassword: sealed.optional(),
  evidence: evidenceBundleSchema.optional(),
  /** Where registering accepts the terms: who called, as evidence of the acceptance. */
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
  /** When it ends unless it is finished, where the family has such a time. */
  expiresAt: instant.optional(),
  errors: z.array(errorDetailSchema),
});

/** By id, by referenceTransaction, or both (which must agree). Always within the caller's own partner. */
export const requestIdentifier = z.object({
  family: familySchema,
  requestId: idSchema.optional(),
  referenceTransaction: referenceTransaction.optional(),
});

/** The id of an own request, for what is sealed for it. */
export const identifyOutput = z.object({ requestId: idSchema });

/** Of the linked partner alone: its counted retries, and its links. */
const linkedPartnerIdentifier = requestIdentifier.extend({ family: z.literal('TV') });

/** Of the regular family alone. What mends a request in error; without any of it the failed step runs again. */
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

/** The families that have an operation to cancel. */
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

/** By serial number, by referenceTransaction, or by both (which must agree). Always within the caller's own partner. */
export const revokeCertificateInput = z.object({
  serialNumber: serialNumber.optional(),
  referenceTransaction: referenceTransaction.optional(),
  reason: partnerRevocationReasonSchema,
  comment: line(500).optional(),
});

export const statusOutput = statusRecordSchema;

/** A new access token (RFC 9068), as it is given to whoever has shown who he is. */
const newToken = { accessToken: z.string(), expiresInSeconds: z.int() };

/** A client's secret crosses sealed; a hash of it is accepted nowhere. */
export const issueTokenInput = z.object({
  clientId: text(200),
  sealedSecret: sealed,
  /** Those asked for, all of them where it is absent; one that the client does not have is FIELD_INVALID. */
  scopes: z.array(text(500)).max(50).optional(),
});
/** Sealed too: whoever is quicker with it than the client has the token. */
export const issueByAssertionInput = z.object({
  clientId: text(200),
  sealedAssertion: sealed,
  scopes: issueTokenInput.shape.scopes,
});
export const issueTokenOutput = z.object({ ...newToken, scopes: z.array(scopeSchema) });

export const signInInput = z.object({ email: text(100), sealedPassword: sealed });
export const signInOutput = z.object({ ...newToken, role: operatorRoleSchema });

/** An API token as it was shown at the door; it crosses sealed, and its hash is accepted nowhere. */
export const exchangeTokenInput = z.object({ sealedToken: sealed });
export const exchangeTokenOutput = z.object(newToken);

/** What generation needs to issue one certificate; the password stays sealed to generation. */
export const issuanceOrderInput = z.object({ requestId: idSchema, attempt: z.int().min(1) });
export const issuanceOrder = z.object({
  requestId: idSchema,
  partnerId: idSchema,
  attempt: z.int().min(1),
  applicationType: applicationTypeSchema,
  certificateType: certificateTypeSchema,
  period: periodSchema,
  subject: z.object({
    identificationNumber: z.string(),
    givenName: z.string(),
    surname: z.string(),
    email: z.string().nullable(),
    city: z.string(),
    countryCode: z.string().length(2),
    companyRuc: z.string().nullable(),
    companySocialReason: z.string().nullable(),
    positionCompany: z.string().nullable(),
  }),
  appointmentExpiresAt: instant.nullable(),
  /** Absent: the service makes the password. */
  sealedPassword: sealed.nullable(),
  passwordOrigin: z.enum(['PARTNER', 'SERVICE', 'HOLDER']),
  legacyPkcs12: z.boolean(),
  /** A webhook will hand the file over; where there is none only the applicant fetches it. */
  hasWebhook: z.boolean().default(true),
  /** The partner may fetch the file itself for `retrievalContract.retrievalDays`. */
  isRetrieved: z.boolean().default(false),
});
export type IssuanceOrder = z.infer<typeof issuanceOrder>;

/** One webhook event, as the notifier needs it: where to, what, and the secrets to sign with. */
export const webhookEventInput = z.object({ eventId: idSchema });
export const webhookEvent = z.object({
  eventId: idSchema,
  requestId: idSchema,
  partnerId: idSchema,
  type: webhookEventTypeSchema,
  url: z.string(),
  /** Name of the identifier in the body, for example linkedPartnerRequestId. */
  identifierName: z.string(),
  referenceTransaction: z.string(),
  message: z.string().nullable(),
  /** The applicant chose the password: it is left out of the body. */
  omitPassword: z.boolean(),
  occurredAt: instant,
  /** To have the bundle released that the event hands over; null where it hands over none. */
  grant: grant.nullable(),
  /**
   * The partner's `whsec_…` secrets and `whsk_…` private keys, those in force first, each sealed to notifier;
   * several of a kind during a rotation. For the first attempt: none once another was asked for, or the event is over.
   */
  sealedSecrets: z.array(sealed).max(5),
});
export type WebhookEvent = z.infer<typeof webhookEvent>;

/** Attempts of one event after which nothing is given out for it any more, until an operator opens it again. */
export const mostAttempts = 12;
/** And from when on, whatever was tried. */
export const eventOpenHours = 80;

/** What one further attempt is signed with. REQUEST_STATE_NOT_ALLOWED where the event is open no longer. */
export const eventSigning = z.object({ sealedSecrets: webhookEvent.shape.sealedSecrets });

/** The token of the call by which an operator has asked for it, as it came to the notifier. */
const operatorToken = text(4_000);

/** An operator has these events sent again: they are open as on their first day. Other partners' are passed over. */
export const reopenEventsInput = z.object({
  partnerId: idSchema,
  eventIds: z.array(idSchema).min(1).max(500),
  operatorToken,
});
export const reopenedEvents = z.object({ count: z.int() });

/** These events are over: their bodies were purged. Nothing is given out for them any more. */
export const endEventsInput = z.object({ eventIds: z.array(idSchema).min(1).max(200) });
/** To purge the bundles that were delivered by them; null where none was. */
export const endedEvents = z.object({ grant: grant.nullable() });

/** Whom to tell of a partner's matters, and how. */
export const partnerInput = z.object({ partnerId: idSchema });
export const partnerContact = z.object({
  partnerId: idSchema,
  name: z.string(),
  email: z.string(),
  language: z.enum(languages),
});

/** What a call to the partner is signed with when it belongs to no event: for an operator who asks for a ping. */
export const partnerSigningInput = partnerInput.extend({ operatorToken });
export const partnerSigning = z.object({
  partnerId: idSchema,
  sealedSecrets: webhookEvent.shape.sealedSecrets,
});
