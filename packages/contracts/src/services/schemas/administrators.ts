import { z } from 'zod';
import { idSchema } from '../../shared/fields.ts';

/** Who decides, and who has proposed the change that is decided on. */
export const administratorsInput = z.object({ operatorId: idSchema, proposedBy: idSchema.optional() });

/** How they stand at this moment, whatever their tokens say. */
export const administratorsOutput = z.object({
  isAdministrator: z.boolean().describe('The operator is an enabled administrator'),
  isProposerAdministrator: z.boolean().describe('So is who has proposed it; false where nobody is named'),
  areIndependent: z
    .boolean()
    .describe('Neither was invited, promoted or given new factors by the other within seven days'),
  count: z.int().describe('Enabled administrators'),
  takeTwo: z.boolean().describe('What takes two does so here: DUAL_CONTROL'),
});
export type AdministratorsStanding = z.infer<typeof administratorsOutput>;
