import { z } from 'zod';
import { operatorRoleSchema } from '../shared/enumerations.ts';
import { email, text } from '../shared/fields.ts';
import type { OperatorProcedure } from './procedure.ts';

const signIn = z.object({ email, password: text(200).min(1) });
const signedIn = z.object({ accessToken: z.string(), expiresIn: z.int(), role: operatorRoleSchema });

/** An operator's sign-in. */
export const signInProcedures = {
  'auth.signIn': { kind: 'mutation', service: 'gateway', role: 'public', input: signIn, output: signedIn },
} as const satisfies Record<string, OperatorProcedure>;
