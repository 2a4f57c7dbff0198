import { z } from 'zod';
import {
  challengeSchema,
  operatorRoleSchema,
  scopeSchema,
  serviceSchema,
  sessionScopeSchema,
} from '../../shared/enumerations.ts';
import { sealed, text } from '../../shared/fields.ts';

/** New access token (RFC 9068) for an authenticated caller, sealed to the calling service (`newTokenBinding`). */
const newToken = { sealedAccessToken: sealed, expiresInSeconds: z.int() };

/** Issues a token for a client's secret, which crosses the bus sealed; a hash of it is accepted nowhere. */
export const issueTokenInput = z.object({
  clientId: text(200),
  sealedSecret: sealed,
  /** Requested scopes; absent: all scopes of the client. A scope that the client does not have is FIELD_INVALID. */
  scopes: z.array(text(500)).max(50).optional(),
});
/** Issues a token for an assertion. The assertion is sealed too: its first user obtains the token. */
export const issueByAssertionInput = z.object({
  clientId: text(200),
  sealedAssertion: sealed,
  scopes: issueTokenInput.shape.scopes,
});
export const issueTokenOutput = z.object({ ...newToken, scopes: z.array(scopeSchema) });

/** Origin of an operator's call. */
export const from = {
  /** Address as the gateway counts addresses: wrong passwords are counted by it. */
  address: text(64),
  userAgent: text(300).optional(),
};

/** New or continued session of an operator; its tokens are sealed to the calling service (`newTokenBinding`). */
export const newSession = z.object({
  ...newToken,
  sealedRefreshToken: sealed,
  role: operatorRoleSchema,
  scope: sessionScopeSchema,
});

export const signInInput = z.object({
  email: text(100),
  sealedPassword: sealed,
  /** One-time code or recovery code. */
  sealedCode: sealed.optional(),
  ...from,
});
/** Session, or the second factor that is due after a correct password. */
export const signInOutput = z.union([newSession, z.object({ challenge: challengeSchema })]);

/** Creates a challenge that any passkey of this relying party may sign, within 5 minutes and once. */
export const passkeyOptionsInput = z.object({});
export const passkeyOptionsOutput = z.object({ challenge: text(100), rpId: text(255), timeoutMs: z.int() });
/** Assertion as JSON, as the browser returned it. */
export const passkeySignInInput = z.object({ sealedResponse: sealed, ...from });
export const passkeySignInOutput = newSession;

/** Continues a session. A refresh token that was used before and is no recent repeat ends the session. */
export const refreshInput = z.object({ sealedRefreshToken: sealed, ...from });
export const refreshOutput = newSession;

/**
 * Exchanges an API token, or a token of a partner's own issuer, as the gateway received it. It is sealed: its hash is
 * accepted nowhere.
 */
export const exchangeTokenInput = z.object({ sealedToken: sealed });
export const exchangeTokenOutput = z.object(newToken);

/**
 * Exchanges an access token as the gateway received it, which itself crosses with calls to intake. The result is valid
 * for one receiver.
 */
export const callTokenInput = z.object({
  sealedToken: sealed,
  receiver: serviceSchema.exclude(['gateway', 'intake']),
});
export const callTokenOutput = z.object({ callToken: z.string() });
