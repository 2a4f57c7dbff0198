import { z } from 'zod';
import { idSchema, lineField, text } from '../shared/fields.ts';
import { change } from './common.ts';
import { currentPassword } from './factors.ts';
import type { OperatorProcedure } from './procedure.ts';
import { sessionTokens } from './sessions.ts';

/** Base64url field of a browser's answer (WebAuthn, `toJSON`). */
const bytes = text(16_000);
const credential = {
  id: text(1_400).min(1),
  rawId: text(1_400).min(1),
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['cross-platform', 'platform']).optional(),
  clientExtensionResults: z.unknown().optional(),
};

/** `AuthenticationResponseJSON`. */
export const passkeyAssertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes,
    authenticatorData: bytes,
    signature: bytes,
    userHandle: text(200).nullish(),
  }),
});

/** `RegistrationResponseJSON`. */
const passkeyAttestation = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes,
    attestationObject: bytes,
    authenticatorData: bytes.optional(),
    transports: z.array(lineField(40)).max(10).optional(),
    publicKeyAlgorithm: z.int().optional(),
    publicKey: bytes.optional(),
  }),
});

export const describedCredential = z.object({ id: z.string(), type: z.literal('public-key') });

/** `PublicKeyCredentialRequestOptionsJSON`, for any passkey of the browser, which identifies its owner. */
export const assertionOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.int(),
  userVerification: z.literal('required'),
});

/** `PublicKeyCredentialCreationOptionsJSON`. */
const attestationOptions = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ alg: z.int(), type: z.literal('public-key') })),
  timeout: z.int(),
  excludeCredentials: z.array(describedCredential),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
});

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
