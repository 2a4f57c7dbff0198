import { z } from 'zod';
import { MINUTE_MS } from '../../shared/durations.ts';
import { approvalServices } from '../../shared/enumerations.ts';
import { idSchema, text } from '../../shared/fields.ts';

/** Operator who decides, and operator who proposed the change. */
export const administratorsInput = z.object({
  operatorId: idSchema,
  proposedBy: idSchema.optional(),
  /** Number of this question, so that the answer serves no other. */
  nonce: idSchema.optional(),
});

const statusShape = {
  isAdministrator: z.boolean().describe('The operator is an enabled administrator'),
  isProposerAdministrator: z
    .boolean()
    .describe('The proposer is an enabled administrator; false if none is named'),
  areIndependent: z
    .boolean()
    .describe('Neither invited or promoted the other, or gave it new factors, within seven days'),
  count: z.int().describe('Enabled administrators'),
  takeTwo: z.boolean().describe('Two administrators are required for changes that need two: DUAL_CONTROL'),
};

/** Status of administrators at this moment, whatever their tokens say. */
export const administratorsOutput = z.object({
  ...statusShape,
  statement: text(4_000)
    .min(1)
    .optional()
    .describe('The same, signed by intake for the calling service, which trusts nothing else'),
});
export type AdministratorStatus = z.infer<z.ZodObject<typeof statusShape>>;

/** `typ` of the statement: a JWS (RFC 7515) by the key of intake. */
export const administratorsStatementType = 'rubrica-administrators+jwt';
/** Longest life of a statement. It answers one question; the margin allows for the clocks of two hosts. */
export const administratorsStatementLifeMs = MINUTE_MS;

export const administratorsStatementSchema = z.strictObject({
  iss: z.literal('intake'),
  /** Service that asked. */
  aud: z.enum(approvalServices),
  operatorId: idSchema,
  proposedBy: idSchema.nullable(),
  nonce: idSchema,
  ...statusShape,
  iat: z.int(),
  exp: z.int(),
});
