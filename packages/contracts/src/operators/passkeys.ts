import { z } from 'zod';
import { idSchema, lineField } from '../shared/fields.ts';
import {
  assertionOptions,
  attestationOptions,
  passkeyAssertion,
  passkeyAttestation,
} from '../shared/webauthn.ts';
import { change } from './common.ts';
import { currentPassword } from './factors.ts';
import type { OperatorProcedure } from './procedure.ts';
import { sessionTokens } from './sessions.ts';

const publicProcedure = { kind: 'mutation', service: 'gateway', role: 'public' } as const;

/** Procedures to sign in by passkey, and to enrol one. */
export const passkeyProcedures = {
  'auth.passkeyOptions': {
    ...publicProcedure,
    input: z.object({}).default({}),
    output: z.object({
      options: assertionOptions.describe(
        'Options for `navigator.credentials.get`, valid once within 5 minutes',
      ),
    }),
  },
  'auth.passkeySignIn': {
    ...publicProcedure,
    input: z.object({ response: passkeyAssertion }),
    output: sessionTokens,
  },
  'auth.enrolPasskey': {
    service: 'intake',
    role: 'viewer',
    kind: 'mutation',
    sessions: ['full', 'enrolment'],
    input: z.object({
      response: passkeyAttestation
        .optional()
        .describe(
          'Without a response options are created; with the response to them the passkey is enrolled',
        ),
      name: lineField(60).optional().describe('Label for its owner'),
      currentPassword,
      ...change,
    }),
    bulkhead: 'passwords',
    seals: { currentPassword: 'account-password' },
    output: z.union([
      z.object({ options: attestationOptions.describe('Options for `navigator.credentials.create`') }),
      z.object({ factorId: idSchema }),
    ]),
  },
} as const satisfies Record<string, OperatorProcedure>;
