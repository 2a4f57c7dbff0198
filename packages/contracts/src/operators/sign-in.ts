import { z } from 'zod';
import { challengeSchema, operatorRoleSchema } from '../shared/enumerations.ts';
import { email, instant, text } from '../shared/fields.ts';
import { enteredCode } from './factors.ts';
import type { OperatorProcedure } from './procedure.ts';
import { sessionTokens } from './sessions.ts';

const signIn = z.object({
  email,
  password: text(200).min(1),
  code: enteredCode.optional().describe('One-time code or recovery code, if `challenge` requires one'),
});
const challenge = challengeSchema.describe(
  'The password is correct. `code`: sign in again with password and code; `passkey`: sign in with the passkey',
);

/** Token behind the `#` of a link by e-mail, so that no server sees it in an address. */
const invitationToken = z.object({ token: text(100).min(1) });

/** Password of an operator. It is longer than the password of a file, because it protects much more. */
export const newPassword = text(200).min(12, 'must be at least 12 characters');

const publicProcedure = { kind: 'mutation', service: 'gateway', role: 'public' } as const;

/** Procedures to open and continue a session. */
export const signInProcedures = {
  'auth.signIn': {
    ...publicProcedure,
    input: signIn,
    output: z.union([sessionTokens, z.object({ challenge })]),
  },
  'auth.refresh': {
    ...publicProcedure,
    input: z.object({ refreshToken: text(300).min(1) }),
    output: sessionTokens,
  },
  'auth.readInvitation': {
    ...publicProcedure,
    input: invitationToken,
    output: z.object({
      email,
      role: operatorRoleSchema,
      kind: z.enum(['invite', 'reset', 'breakGlass']),
      expiresAt: instant,
    }),
  },
  'auth.acceptInvitation': {
    ...publicProcedure,
    input: invitationToken.extend({
      password: newPassword.optional().describe('New password of the operator; none for `breakGlass`'),
    }),
    output: sessionTokens,
  },
} as const satisfies Record<string, OperatorProcedure>;
