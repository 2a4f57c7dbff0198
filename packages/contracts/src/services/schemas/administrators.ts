import { z } from 'zod';
import { approvalServices } from '../../operators/approvals.ts';
import { MINUTE_MS } from '../../shared/durations.ts';
import { idSchema, text } from '../../shared/fields.ts';

/** Who decides, and who has proposed the change that is decided on. */
export const administratorsInput = z.object({
  operatorId: idSchema,
  proposedBy: idSchema.optional(),
  /** Number of this question, so that the answer is to no other. */
  nonce: idSchema.optional(),
});

const standing = {
  isAdministrator: z.boolean().describe('The operator is an enabled administrator'),
  isProposerAdministrator: z.boolean().describe('So is who has proposed it; false where nobody is named'),
  areIndependent: z
    .boolean()
    .describe('Neither was invited, promoted or given new factors by the other within seven days'),
  count: z.int().describe('Enabled administrators'),
  takeTwo: z.boolean().describe('What takes two does so here: DUAL_CONTROL'),
};

/** Standing of administrators at this moment, whatever their tokens say. */
export const administratorsOutput = z.object({
  ...standing,
  statement: text(4_000)
    .min(1)
    .optional()
    .describe('The same, signed by intake for the service that asked; it decides by nothing else'),
});
export type AdministratorsStanding = z.infer<z.ZodObject<typeof standing>>;

/** `typ` of the statement: a JWS (RFC 7515) by the key of intake. */
export const administratorsStatementType = 'rubrica-administrators+jwt';
/** Longest life of a statement. It answers one question; the rest is for the clocks of two hosts. */
export const administratorsStatementLifeMs = MINUTE_MS;

export const administratorsStatementSchema = z.strictObject({
  iss: z.literal('intake'),
  /** The service that asked. */
  aud: z.enum(approvalServices),
  operatorId: idSchema,
  proposedBy: idSchema.nullable(),
  nonce: idSchema,
  ...standing,
  iat: z.int(),
  exp: z.int(),
});
