import { z } from 'zod';
import { operatorRoleSchema } from '../shared/enumerations.ts';
import { email, instant, text } from '../shared/fields.ts';
import type { OperatorProcedure } from './procedure.ts';
import { signedIn } from './sessions.ts';

const signIn = z.object({ email, password: text(200).min(1) });

/** What stands behind the `#` of a link by e-mail: in no address that a server sees. */
const invitationToken = z.object({ token: text(100).min(1) });

/** Of an operator: longer than one of a file's, because much more opens by it. */
export const newPassword = text(200).min(12, 'must be at least 12 characters');

const openToAll = { kind: 'mutation', service: 'gateway', role: 'public' } as const;

/** How an operator gets a session, and keeps it. */
export const signInProcedures = {
  'auth.signIn': { ...openToAll, input: signIn, output: signedIn },
  'auth.refresh': {
    ...openToAll,
    input: z.object({ refreshToken: text(300).min(1) }),
    output: signedIn,
  },
  'auth.readInvitation': {
    ...openToAll,
    input: invitationToken,
    output: z.object({
      email,
      role: operatorRoleSchema,
      kind: z.enum(['invite', 'reset', 'breakGlass']),
      expiresAt: instant,
    }),
  },
  'auth.acceptInvitation': {
    ...openToAll,
    input: invitationToken.extend({
      password: newPassword.optional().describe('Of the operator from now on; none for `breakGlass`'),
    }),
    output: signedIn,
  },
} as const satisfies Record<string, OperatorProcedure>;
