import { z } from 'zod';
import { webhookEventTypeSchema } from '../../rest/webhooks.ts';
import { revocationReasonSchema } from '../../shared/enumerations.ts';
import { errorCodeSchema } from '../../shared/errors.ts';
import { idSchema, instant, sealed, text, url } from '../../shared/fields.ts';
import { languages } from './applicant-messages.ts';
import { deliveryStatement } from './delivery-statement.ts';
import { grant } from './grants.ts';

/** One webhook event as the notifier needs it: destination, body and signing secrets. */
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
  /** Error or refusal code that the event reports. */
  code: errorCodeSchema.nullable(),
  /** The partner wants the body in an envelope with type and time. */
  envelope: z.boolean(),
  /** The applicant chose the password, so the body omits it. */
  omitPassword: z.boolean(),
  occurredAt: instant,
  /** Certificate of an event about its later life; an older intake sends none. */
  certificate: z
    .object({
      serialNumber: z.string(),
      notAfter: instant,
      /** Days left when the event was written, for a certificate about to end. */
      daysLeft: z.int().nullable(),
      /** Reason, for a revoked certificate. */
      revocationReason: revocationReasonSchema.nullable(),
      revokedAt: instant.nullable(),
    })
    .nullable()
    .default(null),
  /** Reference of the request whose certificate this one renews. */
  renewalOf: z.string().nullable().default(null),
  /** Grant to release the bundle that the event delivers; null if it delivers none. */
  grant: grant.nullable(),
  /**
   * Partner's `whsec_…` secrets and `whsk_…` private keys, current ones first, each sealed to notifier; several of a
   * kind during a rotation. They serve the first attempt only: the list is empty once another was requested, or the
   * event has ended.
   */
  sealedSecrets: z.array(sealed).max(5),
  /** Delivery statement (`delivery-statement.ts`) for `url` and these secrets; an older intake signs none. */
  statement: deliveryStatement.optional(),
});
export type WebhookEvent = z.infer<typeof webhookEvent>;

/** Attempts of one event after which intake answers no secrets for it, until an operator reopens it. */
export const maxEventAttempts = 12;
/** Hours after which intake answers no secrets for an event, whatever was tried. */
export const eventOpenHours = 80;

/** Grant of one further attempt. REQUEST_STATE_NOT_ALLOWED if the event is no longer open. */
export const eventSigning = z.object({
  sealedSecrets: webhookEvent.shape.sealedSecrets,
  /** SHA-256 (hex) of the URL that the attempt may use; an older intake grants none. */
  destinationSha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  statement: webhookEvent.shape.statement,
});

/** Token of the call in which an operator, or the partner itself, requested it, as the notifier received it. */
const operatorToken = text(4_000);

/**
 * Reopens events, which then are open as on their first day, at the request of an operator or the partner. Events of
 * other partners are skipped.
 */
export const reopenEventsInput = z.object({
  partnerId: idSchema,
  eventIds: z.array(idSchema).min(1).max(500),
  operatorToken,
});
export const reopenedEvents = z.object({ count: z.int() });

/** Ends events whose bodies were purged. Intake answers no secrets for them any more. */
export const endEventsInput = z.object({ eventIds: z.array(idSchema).min(1).max(200) });
/** Grant to purge the bundles that they delivered; null if there is none. */
export const endedEvents = z.object({ grant: grant.nullable() });

/** Answers the contact of a partner. */
export const partnerInput = z.object({ partnerId: idSchema });
export const partnerContact = z.object({
  partnerId: idSchema,
  name: z.string(),
  email: z.string(),
  language: z.enum(languages),
});

/**
 * Answers secrets that sign a call to the partner without an event: a ping by an operator, or a test event by the
 * partner, which names its destination.
 */
export const partnerSigningInput = partnerInput.extend({ operatorToken, url: url.optional() });
export const partnerSigning = z.object({
  partnerId: idSchema,
  envelope: webhookEvent.shape.envelope,
  sealedSecrets: webhookEvent.shape.sealedSecrets,
});
