import { z } from 'zod';
import {
  challengeSchema,
  operatorRoleSchema,
  scopeSchema,
  serviceSchema,
  sessionScopeSchema,
} from '../../shared/enumerations.ts';
import { sealed, text } from '../../shared/fields.ts';

/** A new access token (RFC 9068) for who has shown who it is, sealed to the service that asked (`newTokenBinding`). */
const newToken = { sealedAccessToken: sealed, expiresInSeconds: z.int() };

/** A client's secret crosses sealed; a hash of it is accepted nowhere. */
export const issueTokenInput = z.object({
  clientId: text(200),
  sealedSecret: sealed,
  /** Those asked for, all of them where it is absent; one that the client does not have is FIELD_INVALID. */
  scopes: z.array(text(500)).max(50).optional(),
});
/** Sealed too: whoever is quicker with it than the client has the token. */
export const issueByAssertionInput = z.object({
  clientId: text(200),
  sealedAssertion: sealed,
  scopes: issueTokenInput.shape.scopes,
});
export const issueTokenOutput = z.object({ ...newToken, scopes: z.array(scopeSchema) });

/** Where an operator's call came from. */
export const from = {
  /** As the gateway counts addresses: wrong passwords are counted by it. */
  address: text(64),
  userAgent: text(300).optional(),
};

/** A new session of an operator, or one that goes on; its tokens are sealed to the service that asked (`newTokenBinding`). */
export const newSession = z.object({
  ...newToken,
  sealedRefreshToken: sealed,
  role: operatorRoleSchema,
  scope: sessionScopeSchema,
});

export const signInInput = z.object({
  email: text(100),
  sealedPassword: sealed,
  /** A one-time code, or a recovery code. */
  sealedCode: sealed.optional(),
  ...from,
});
/** The password is right, and a second factor is due. */
export const signInOutput = z.union([newSession, z.object({ challenge: challengeSchema })]);

/** What any passkey of this place signs, within 5 minutes and once. */
export const passkeyOptionsInput = z.object({});
export const passkeyOptionsOutput = z.object({ challenge: text(100), rpId: text(255), timeoutMs: z.int() });
/** The assertion as JSON, as the browser gave it. */
export const passkeySignInInput = z.object({ sealedResponse: sealed, ...from });
export const passkeySignInOutput = newSession;

/** Where it shows nothing else, a refresh token ends the session if it was used before. */
export const refreshInput = z.object({ sealedRefreshToken: sealed, ...from });
export const refreshOutput = newSession;

/** An API token, or one of a partner's own issuer, as it was shown at the door. Sealed: its hash is accepted nowhere. */
export const exchangeTokenInput = z.object({ sealedToken: sealed });
export const exchangeTokenOutput = z.object(newToken);

/** An access token as it was shown at the door and crosses with calls to intake; what is made of it is for one receiver. */
export const callTokenInput = z.object({
  sealedToken: sealed,
  receiver: serviceSchema.exclude(['gateway', 'intake']),
});
export const callTokenOutput = z.object({ callToken: z.string() });
