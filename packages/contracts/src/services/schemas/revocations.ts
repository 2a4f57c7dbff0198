import { z } from 'zod';
import { idSchema, instant, sealed, text } from '../../shared/fields.ts';
import { languages } from './applicant-messages.ts';

/** Reasons for a revocation by the subscriber: none, or the key is no longer theirs alone. */
const ownReason = z.enum(['unspecified', 'keyCompromise']);

/**
 * Certificate that a subscriber means, by its claim link or by the numbers in it. For numbers, no answer before a
 * correct code reveals whether the pair exists, whether a code was sent, or why it was refused.
 */
const target = z.union([
  z.object({ sealedToken: sealed }),
  z.object({ identificationNumber: text(20), serialNumber: text(40) }),
]);
export type RevocationTarget = z.infer<typeof target>;

/**
 * Certificate, and the browser that asks about it. A code by number is valid only with the value of the browser that
 * requested it. A gateway of the previous release sends neither value nor address.
 */
const revocationShape = {
  target,
  /** Random value of at least 128 bits that the browser stores, sealed to intake. */
  sealedBrowser: sealed.optional(),
  /** Network address, as the gateway counts addresses. It limits codes by number. */
  address: text(64).optional(),
} as const;
const revocationAskerSchema = z.object(revocationShape);
export type RevocationRequester = z.infer<typeof revocationAskerSchema>;

/**
 * Sends a code to the telephone on file. By link it replaces the previous one; by number several are valid at once.
 * Errors by link: RATE_LIMITED, OTP_ATTEMPTS_EXCEEDED, CLAIM_LINK_INVALID, REQUEST_STATE_NOT_ALLOWED if there is no
 * certificate.
 */
export const sendRevocationCodeInput = z.object({ ...revocationShape, language: z.enum(languages) });
export const sendRevocationCodeOutput = z.object({});

/**
 * Revokes for a correct code. OTP_INVALID otherwise; by link also OTP_EXPIRED and OTP_ATTEMPTS_EXCEEDED;
 * CERTIFICATE_ALREADY_REVOKED.
 */
export const revokeOwnInput = z.object({
  ...revocationShape,
  /** Six digits, sealed to intake. */
  sealedCode: sealed,
  reason: ownReason,
});
export const revokeOwnOutput = z.object({ serialNumber: z.string(), revokedAt: instant });

/** Revokes for a subscriber whose identity intake has verified. */
export const revokeForSubscriberInput = z.object({
  requestId: idSchema,
  partnerId: idSchema,
  serialNumber: text(40),
  reason: ownReason,
});
