import { z } from 'zod';
import { sealed, text } from '../../shared/fields.ts';
import { from, newSession } from './tokens.ts';

/** Why the organisation's OpenID provider signed nobody in. Each has a page that says what to do. */
const openIdRefusals = [
  /** Begun too long ago, in another browser, finished before, or answered by something that does not hold. */
  'start-again',
  /** The provider has not let the person in, or the person has broken off. */
  'declined',
  /** Signed in there without the second factor that is asked for here. */
  'second-factor',
  /** No value of the role claim stands for a role. */
  'no-role',
  /** The provider names no e-mail address, or one that it has not verified. */
  'no-address',
  /** An operator with a password has that e-mail address. */
  'address-taken',
  'disabled',
] as const;
export type OpenIdRefusal = (typeof openIdRefusals)[number];

export const startOpenIdInput = z.object({});
export const startOpenIdOutput = z.object({
  /** Of the provider, where the browser goes next. */
  authorizationUrl: text(8_192),
  /** State, nonce and PKCE verifier, sealed to intake: the browser keeps it until it comes back. */
  sealedFlow: sealed,
});

export const finishOpenIdInput = z.object({
  /** As the browser brought it back. */
  sealedFlow: text(8_192).min(1),
  /** The query that the provider sent the browser back with, sealed: it holds the code. */
  sealedAnswer: sealed,
  ...from,
});
export const finishOpenIdOutput = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('signed-in'), email: z.string(), ...newSession.shape }),
  z.object({ kind: z.literal('refused'), reason: z.enum(openIdRefusals) }),
]);
