import { z } from 'zod';
import { MINUTE_MS } from '../../shared/durations.ts';
import { approvalServices } from '../../shared/enumerations.ts';
import { idSchema, sealed, text } from '../../shared/fields.ts';
import { assertionOptions, describedCredential } from '../../shared/webauthn.ts';

/**
 * `typ` of intake's statement that an operator has confirmed a change: a JWS (RFC 7515) signed with the key of intake.
 */
export const approvalGrantType = 'rubrica-approval+jwt';

/** Longest life of a grant. It is checked on arrival; the margin allows for clocks that differ. */
export const approvalGrantLifeMs = MINUTE_MS;

/** SHA-256 (hex) of the proposal, as its service has stored it. */
const digest = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hexadecimal digits');

/** Approver, and the change to approve. */
export const approvalToConfirm = z.object({ operatorId: idSchema, digest });
export const passkeyOptionsOutput = z.object({
  options: assertionOptions
    .extend({ allowCredentials: z.array(describedCredential) })
    .nullable()
    .describe(
      "Options for `navigator.credentials.get`, valid once within 5 minutes; the challenge begins with the proposal's SHA-256. null for an operator without a passkey, who signs nothing",
    ),
});
export const confirmApprovalInput = approvalToConfirm.extend({
  sealedResponse: sealed.optional().describe("Response of the operator's passkey, sealed to intake"),
});
export const confirmApprovalOutput = z.object({ grant: text(4_000).min(1) });

export const approvalGrantSchema = z.strictObject({
  iss: z.literal('intake'),
  /** Service that stores the change. */
  aud: z.enum(approvalServices),
  /** Operator who approves. */
  sub: idSchema,
  digest,
  /** Passkey that has signed the digest; absent for an operator without a passkey. */
  factorId: idSchema.optional(),
  jti: idSchema,
  iat: z.int(),
  exp: z.int(),
});
export type ApprovalGrant = z.output<typeof approvalGrantSchema>;
