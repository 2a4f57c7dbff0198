import { z } from 'zod';
import { challengeSchema, operatorRoleSchema } from '../shared/enumerations.ts';
import { email, instant, text } from '../shared/fields.ts';
import { enteredCode } from './factors.ts';
import type { OperatorProcedure } from './procedure.ts';
import { signedIn } from './sessions.ts';

const signIn = z.object({
  email,
  password: text(200).min(1),
  code: enteredCode
    .optional()
    .describe('A one-time code or a recovery code, where `challenge` asked for one'),
});
const challenge = challengeSchema.describe(
  'The password is right. `code`: sign in again with a code beside it; `passkey`: sign in with the passkey',
);

/** What stands behind the `#` of a link by e-mail: in no address that a server sees. */
const invitationToken = z.object({ token: text(100).min(1) });

/** Of an operator: longer than one of a file's, because much more opens by it. */
export const newPassword = text(200).min(12, 'must be at least 12 characters');

const openToAll = { kind: 'mutation', service: 'gateway', role: 'public' } as const;

/** How an operator gets a session, and keeps it. */
export const signInProcedures = {
  'auth.signIn': { ...openToAll, input: signIn, output: z.union([signedIn, z.object({ challenge })]) },
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
