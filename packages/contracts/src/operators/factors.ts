import { z } from 'zod';
import { idSchema, instant, text } from '../shared/fields.ts';
import { change } from './common.ts';
import type { OperatorProcedure } from './procedure.ts';

const factorKinds = ['totp', 'passkey'] as const;
export type FactorKind = (typeof factorKinds)[number];

/** Second factor of an operator, as its owner sees it. */
export const operatorFactor = z.object({
  factorId: idSchema,
  kind: z.enum(factorKinds),
  name: z.string(),
  createdAt: instant,
  lastUsedAt: instant.nullable(),
});

/** Current six-digit code, or a recovery code. */
export const enteredCode = text(40).min(1);

/**
 * Proof that the operator is present, required to change sign-in factors. Without it the call is refused, so a client
 * may ask for it then.
 */
export const currentPassword = text(200)
  .min(1)
  .optional()
  .describe(
    'Required, otherwise `FRESH_PROOF_NEEDED`. Operators of the organisation’s provider have no password: they must have signed in within the last ten minutes',
  );

/** Common part of enrolment procedures, which sessions limited to enrolment may call too. */
const enrolmentProcedure = {
  service: 'intake',
  role: 'viewer',
  kind: 'mutation',
  sessions: ['full', 'enrolment'],
  bulkhead: 'passwords',
} as const;

/** Procedures for an operator's own second factors. */
export const factorProcedures = {
  'auth.enrolTotp': {
    ...enrolmentProcedure,
    input: z.object({
      code: enteredCode
        .optional()
        .describe('Without a code a new secret is created; with its code that secret is confirmed'),
      currentPassword,
      ...change,
    }),
    output: z.union([
      z.object({
        secret: z.string().describe('Base32, to type by hand'),
        otpauthUri: z.string().describe('Same secret as the content of a QR code'),
      }),
      z.object({
        factorId: idSchema,
        recoveryCodes: z
          .array(z.string())
          .describe('Each replaces a code for one sign-in; shown only here and once'),
      }),
    ]),
    seals: { code: 'account-code', currentPassword: 'account-password' },
    opens: { secret: 'totp-secret-shown', otpauthUri: 'totp-secret-shown', recoveryCodes: 'recovery-codes' },
  },
  'auth.removeFactor': {
    ...enrolmentProcedure,
    sessions: ['full'],
    input: z.object({ factorId: idSchema, currentPassword, ...change }),
    seals: { currentPassword: 'account-password' },
    output: z.object({ factorId: idSchema, ended: z.int().describe('Number of other sessions that ended') }),
  },
} as const satisfies Record<string, OperatorProcedure>;
