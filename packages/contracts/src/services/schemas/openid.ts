import { z } from 'zod';
import { sealed, text } from '../../shared/fields.ts';
import { from, newSession } from './tokens.ts';

/** Reasons why a sign-in at the organisation's OpenID provider failed. Each has a page that says what to do. */
const openIdRefusals = [
  /** Begun too long ago, in another browser, finished before, or answered by something that does not verify. */
  'start-again',
  /** The provider refused the person, or the person cancelled. */
  'declined',
  /** Signed in there without the second factor that is required here. */
  'second-factor',
  /** No value of the role claim maps to a role. */
  'no-role',
  /** The provider sends no e-mail address, or an unverified one. */
  'no-address',
  /** An operator with a password has that e-mail address. */
  'address-taken',
  'disabled',
] as const;
export type OpenIdRefusal = (typeof openIdRefusals)[number];

export const startOpenIdInput = z.object({});
export const startOpenIdOutput = z.object({
  /** Address at the provider to which the browser goes next. */
  authorizationUrl: text(8_192),
  /** State, nonce and PKCE verifier, sealed to intake. The browser stores them until it comes back. */
  sealedFlow: sealed,
});

export const finishOpenIdInput = z.object({
  /** Sealed flow as the browser returned it. */
  sealedFlow: text(8_192).min(1),
  /** Query with which the provider sent the browser back, sealed because it holds the code. */
  sealedAnswer: sealed,
  ...from,
});
export const finishOpenIdOutput = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('signed-in'), email: z.string(), ...newSession.shape }),
  z.object({ kind: z.literal('refused'), reason: z.enum(openIdRefusals) }),
]);
