import { z } from 'zod';
import { operatorRoleSchema } from '../../shared/enumerations.ts';
import { instant, sealed } from '../../shared/fields.ts';
import { newSession, refreshInput } from './tokens.ts';

/** Token of a link, which crosses the bus sealed; a hash of it is accepted nowhere. */
export const readInvitationInput = refreshInput
  .omit({ sealedRefreshToken: true })
  .extend({ sealedToken: sealed });
export const readInvitationOutput = z.object({
  email: z.string(),
  role: operatorRoleSchema,
  kind: z.enum(['invite', 'reset', 'breakGlass']),
  expiresAt: instant,
});

export const acceptInvitationInput = readInvitationInput.extend({ sealedPassword: sealed.optional() });
export const acceptInvitationOutput = newSession;
