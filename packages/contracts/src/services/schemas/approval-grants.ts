import { z } from 'zod';
import { approvalProcedures, approvalServices } from '../../operators/approvals.ts';
import { MINUTE_MS } from '../../shared/durations.ts';
import { idSchema, sealed, text } from '../../shared/fields.ts';

/** `typ` of intake's word that an operator has confirmed a change: a JWS (RFC 7515) by the key of intake. */
export const approvalGrantType = 'rubrica-approval+jwt';

/** It is checked as it comes; the rest is for clocks that differ. */
export const approvalGrantLifeMs = MINUTE_MS;

/** SHA-256 (hex) of what was proposed, as the service that keeps it has stored it. */
const digest = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hexadecimal digits');

/** Who approves which change. */
export const approvalToConfirm = z.object({ operatorId: idSchema, digest });
export const passkeyOptionsOutput = approvalProcedures['approvals.passkeyOptions'].output;
export const confirmApprovalInput = approvalToConfirm.extend({
  sealedResponse: sealed.optional().describe("What the operator's passkey has signed, sealed to intake"),
});
export const confirmApprovalOutput = z.object({ grant: text(4_000).min(1) });

export const approvalGrantSchema = z.strictObject({
  iss: z.literal('intake'),
  /** The service that keeps the change. */
  aud: z.enum(approvalServices),
  /** The operator who approves. */
  sub: idSchema,
  digest,
  /** The passkey that has signed the digest; absent for an operator who has none. */
  factorId: idSchema.optional(),
  jti: idSchema,
  iat: z.int(),
  exp: z.int(),
});
export type ApprovalGrant = z.output<typeof approvalGrantSchema>;
