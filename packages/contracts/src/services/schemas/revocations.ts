import { z } from 'zod';
import { idSchema, instant, sealed, text } from '../../shared/fields.ts';
import { languages } from './applicant-messages.ts';

/** Why a subscriber revokes: without a reason, or because the key is no longer theirs alone. */
const ownReason = z.enum(['unspecified', 'keyCompromise']);

/**
 * The certificate that a subscriber means: by the link of its claim, or by what stands in it. Of the latter nothing is told
 * before a right code: whether there is such a pair, whether a code was sent, or why it was not taken.
 */
const target = z.union([
  z.object({ sealedToken: sealed }),
  z.object({ identificationNumber: text(20), serialNumber: text(40) }),
]);
export type RevocationTarget = z.infer<typeof target>;

/**
 * The certificate, and the browser that asks about it. A code by number is good with the value of the browser that asked for it
 * and no other; a gateway of the release before sends neither value nor address.
 */
const asked = {
  target,
  /** A random value of at least 128 bits that the browser keeps, sealed to intake. */
  sealedBrowser: sealed.optional(),
  /** Network address, as the gateway counts addresses. Codes by number are limited by it. */
  address: text(64).optional(),
} as const;
const asker = z.object(asked);
export type RevocationAsker = z.infer<typeof asker>;

/**
 * Sends a code to the telephone on file. By a link it takes the place of the one before; by number several are good at once.
 * By a link: RATE_LIMITED, OTP_ATTEMPTS_EXCEEDED, CLAIM_LINK_INVALID, REQUEST_STATE_NOT_ALLOWED where there is no certificate.
 */
export const sendRevocationCodeInput = z.object({ ...asked, language: z.enum(languages) });
export const sendRevocationCodeOutput = z.object({});

/**
 * Revokes for a right code. OTP_INVALID otherwise, by a link OTP_EXPIRED and OTP_ATTEMPTS_EXCEEDED too;
 * CERTIFICATE_ALREADY_REVOKED.
 */
export const revokeOwnInput = z.object({
  ...asked,
  /** Six digits, sealed to intake. */
  sealedCode: sealed,
  reason: ownReason,
});
export const revokeOwnOutput = z.object({ serialNumber: z.string(), revokedAt: instant });

/** Intake has had the subscriber prove who they are. */
export const revokeForSubscriberInput = z.object({
  requestId: idSchema,
  partnerId: idSchema,
  serialNumber: text(40),
  reason: ownReason,
});
