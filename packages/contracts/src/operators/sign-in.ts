import { z } from 'zod';
import { email, text } from '../shared/fields.ts';
import type { OperatorProcedure } from './procedure.ts';
import { signedIn } from './sessions.ts';

const signIn = z.object({ email, password: text(200).min(1) });

const openToAll = { kind: 'mutation', service: 'gateway', role: 'public' } as const;

/** How an operator gets a session, and keeps it. */
export const signInProcedures = {
  'auth.signIn': { ...openToAll, input: signIn, output: signedIn },
  'auth.refresh': {
    ...openToAll,
    input: z.object({ refreshToken: text(300).min(1) }),
    output: signedIn,
  },
} as const satisfies Record<string, OperatorProcedure>;
