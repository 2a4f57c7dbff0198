import { z } from 'zod';
import { idSchema, instant, text } from '../shared/fields.ts';
import { change } from './common.ts';
import type { OperatorProcedure } from './procedure.ts';

const factorKinds = ['totp', 'passkey'] as const;
export type FactorKind = (typeof factorKinds)[number];

/** A second factor of an operator, as its owner is shown it. */
export const operatorFactor = z.object({
  factorId: idSchema,
  kind: z.enum(factorKinds),
  name: z.string(),
  createdAt: instant,
  lastUsedAt: instant.nullable(),
});

/** The six digits of the moment, or a recovery code. */
export const enteredCode = text(40).min(1);

/** A change of what one signs in by takes a proof of who is there. Without it the call is refused, so a program may ask then. */
export const currentPassword = text(200)
  .min(1)
  .optional()
  .describe(
    'Needed, else `FRESH_PROOF_NEEDED`. Operators of the organisation’s provider have none: they sign in within ten minutes before',
  );

/** Also from a session that may do nothing else. */
const enrolling = {
  service: 'intake',
  role: 'viewer',
  kind: 'mutation',
  sessions: ['full', 'enrolment'],
  bulkhead: 'passwords',
} as const;

/** What operators do with second factors of their own. */
export const factorProcedures = {
  'auth.enrolTotp': {
    ...enrolling,
    input: z.object({
      code: enteredCode
        .optional()
        .describe('Without it a new secret is made; with it, that secret is confirmed'),
      currentPassword,
      ...change,
    }),
    output: z.union([
      z.object({
        secret: z.string().describe('Base32, for who types it'),
        otpauthUri: z.string().describe('The same as a QR code holds it'),
      }),
      z.object({
        factorId: idSchema,
        recoveryCodes: z.array(z.string()).describe('Each signs in once in place of a code; shown here once'),
      }),
    ]),
    seals: { code: 'account-code', currentPassword: 'account-password' },
    opens: { secret: 'totp-secret-shown', otpauthUri: 'totp-secret-shown', recoveryCodes: 'recovery-codes' },
  },
  'auth.removeFactor': {
    ...enrolling,
    sessions: ['full'],
    input: z.object({ factorId: idSchema, currentPassword, ...change }),
    seals: { currentPassword: 'account-password' },
    output: z.object({ factorId: idSchema, ended: z.int().describe('Other sessions that ended') }),
  },
} as const satisfies Record<string, OperatorProcedure>;
