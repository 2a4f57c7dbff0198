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
 * Sends a code to the telephone on file. By a link: RATE_LIMITED, OTP_ATTEMPTS_EXCEEDED, CLAIM_LINK_INVALID,
 * REQUEST_STATE_NOT_ALLOWED where there is no certificate.
 */
export const sendRevocationCodeInput = z.object({ target, language: z.enum(languages) });
export const sendRevocationCodeOutput = z.object({});

/**
 * Revokes for a right code. OTP_INVALID otherwise, by a link OTP_EXPIRED and OTP_ATTEMPTS_EXCEEDED too;
 * CERTIFICATE_ALREADY_REVOKED.
 */
export const revokeOwnInput = z.object({
  target,
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
