import { z } from 'zod';
import { idSchema, line, text } from '../shared/fields.ts';
import { change } from './common.ts';
import { currentPassword } from './factors.ts';
import type { OperatorProcedure } from './procedure.ts';
import { signedIn } from './sessions.ts';

/** Of what browsers give (WebAuthn, `toJSON`), a part in Base64url. */
const bytes = text(16_000);
const credential = {
  id: text(1_400).min(1),
  rawId: text(1_400).min(1),
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['cross-platform', 'platform']).optional(),
  clientExtensionResults: z.unknown().optional(),
};

/** `AuthenticationResponseJSON` */
export const passkeyAssertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes,
    authenticatorData: bytes,
    signature: bytes,
    userHandle: text(200).nullish(),
  }),
});

/** `RegistrationResponseJSON` */
const passkeyAttestation = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes,
    attestationObject: bytes,
    authenticatorData: bytes.optional(),
    transports: z.array(line(40)).max(10).optional(),
    publicKeyAlgorithm: z.int().optional(),
    publicKey: bytes.optional(),
  }),
});

export const describedCredential = z.object({ id: z.string(), type: z.literal('public-key') });

/** `PublicKeyCredentialRequestOptionsJSON`, for any passkey of the browser: it says whose it is. */
export const assertionOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.int(),
  userVerification: z.literal('required'),
});

/** `PublicKeyCredentialCreationOptionsJSON` */
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

const openToAll = { kind: 'mutation', service: 'gateway', role: 'public' } as const;

/** How operators sign in by passkey, and enrol one. */
export const passkeyProcedures = {
  'auth.passkeyOptions': {
    ...openToAll,
    input: z.object({}).default({}),
    output: z.object({
      options: assertionOptions.describe('For `navigator.credentials.get`, good for 5 minutes and once'),
    }),
  },
  'auth.passkeySignIn': {
    ...openToAll,
    input: z.object({ response: passkeyAssertion }),
    output: signedIn,
  },
  'auth.enrolPasskey': {
    service: 'intake',
    role: 'viewer',
    kind: 'mutation',
    sessions: ['full', 'enrolment'],
    input: z.object({
      response: passkeyAttestation
        .optional()
        .describe('Without it options are made; with it, the passkey made by them is enrolled'),
      name: line(60).optional().describe('By which its owner knows it'),
      currentPassword,
      ...change,
    }),
    bulkhead: 'passwords',
    seals: { currentPassword: 'account-password' },
    output: z.union([
      z.object({ options: attestationOptions.describe('For `navigator.credentials.create`') }),
      z.object({ factorId: idSchema }),
    ]),
  },
} as const satisfies Record<string, OperatorProcedure>;
