import { z } from 'zod';
import { webhookEventTypeSchema } from '../../rest/webhooks.ts';
import { revocationReasonSchema } from '../../shared/enumerations.ts';
import { errorCodeSchema } from '../../shared/errors.ts';
import { idSchema, instant, sealed, text, url } from '../../shared/fields.ts';
import { languages } from './applicant-messages.ts';
import { deliveryStatement } from './delivery-statement.ts';
import { grant } from './grants.ts';

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
  /** Of the error or refusal that it tells of. */
  code: errorCodeSchema.nullable(),
  /** The partner wants the body in an envelope that says type and time. */
  envelope: z.boolean(),
  /** The applicant chose the password: it is left out of the body. */
  omitPassword: z.boolean(),
  occurredAt: instant,
  /** The certificate that it tells of, where it tells of what became of one later; an older intake knows of none. */
  certificate: z
    .object({
      serialNumber: z.string(),
      notAfter: instant,
      /** Of one that is about to end, as the event was written. */
      daysLeft: z.int().nullable(),
      /** Of one that was revoked. */
      revocationReason: revocationReasonSchema.nullable(),
      revokedAt: instant.nullable(),
    })
    .nullable()
    .default(null),
  /** Reference of the request whose certificate this one renews. */
  renewalOf: z.string().nullable().default(null),
  /** To have the bundle released that the event hands over; null where it hands over none. */
  grant: grant.nullable(),
  /**
   * The partner's `whsec_…` secrets and `whsk_…` private keys, those in force first, each sealed to notifier;
   * several of a kind during a rotation. For the first attempt: none once another was asked for, or the event is over.
   */
  sealedSecrets: z.array(sealed).max(5),
  /** Delivery statement (`delivery-statement.ts`) for `url` and these secrets; an older intake signs none. */
  statement: deliveryStatement.optional(),
});
export type WebhookEvent = z.infer<typeof webhookEvent>;

/** Attempts of one event after which nothing is given out for it any more, until an operator opens it again. */
export const mostAttempts = 12;
/** And from when on, whatever was tried. */
export const eventOpenHours = 80;

/** Grant of one further attempt. REQUEST_STATE_NOT_ALLOWED where the event is open no longer. */
export const eventSigning = z.object({
  sealedSecrets: webhookEvent.shape.sealedSecrets,
  /** SHA-256 of the URL that the attempt may go to, hex; an older intake grants none. */
  destinationSha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  statement: webhookEvent.shape.statement,
});

/** The token of the call by which an operator, or the partner itself, has asked for it, as it came to the notifier. */
const operatorToken = text(4_000);

/** An operator, or the partner itself, has these events sent again: they are open as on their first day. Other partners' are passed over. */
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

/**
 * Secrets that sign a call to the partner which belongs to no event: for an operator who asks for a ping, or for the
 * partner, who asks for a test event and names where it is to go.
 */
export const partnerSigningInput = partnerInput.extend({ operatorToken, url: url.optional() });
export const partnerSigning = z.object({
  partnerId: idSchema,
  envelope: webhookEvent.shape.envelope,
  sealedSecrets: webhookEvent.shape.sealedSecrets,
});
