import type { VouchedCaller } from '@rubrica/contracts/shared/caller';
import { idSchema } from '@rubrica/contracts/shared/fields';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Keyring } from '../keyring/keyring.ts';
import { KeyringError } from '../keyring/keyring-error.ts';
import { uuidv7 } from '../time/uuidv7.ts';
import { fromCallerClaims, operatorClaims, partnerClaims, toClaims } from './caller-claims.ts';

/** RFC 9068 §2.1: prevents an access token from being accepted as any other kind of JWT. */
const accessTokenType = 'at+jwt';

/** The only service that signs tokens: it owns partners and operators, and so knows their rights. */
export const tokenSigner = 'intake';

/** Content of an access token: its owner, and the version of the rights it was issued from. */
export interface AccessToken {
  readonly caller: VouchedCaller;
  /** Version of the partner's or operator's row at the issue of the token; each loss of a right increases the row's. */
  readonly gen: number;
  /**
   * Source of an exchange: the id of an API token, or `issuer` for a token of the partner's own issuer. The token is
   * valid as long as its source, whatever becomes of other rights: the owner of that source could not request a new
   * one.
   */
  readonly exchangedFor?: string | undefined;
  /** Session of an operator for which it was issued, and with which it ends. */
  readonly sessionId?: string | undefined;
  readonly expiresAtMs: number;
}

const times = {
  iss: z.string(),
  aud: z.string(),
  jti: z.string(),
  gen: z.int().min(1),
  iat: z.number(),
  exp: z.number(),
};
const claimsSchema = z.discriminatedUnion('kind', [
  z.object({
    ...times,
    ...partnerClaims,
    exchanged_for: z.union([z.literal('issuer'), idSchema]).optional(),
  }),
  z.object({ ...times, ...operatorClaims, sid: idSchema.optional() }),
]);

/** Names the audience of a kind of caller: neither kind is accepted where the other is expected. */
function toAudience(kind: VouchedCaller['kind'], baseUrl: string): string {
  return kind === 'partner' ? baseUrl : `${baseUrl}/trpc`;
}

export interface AccessTokenOptions {
  /** Our base address: the issuer, and the audience of partners' tokens. */
  readonly baseUrl: string;
  readonly nowMs: number;
  readonly lifeSeconds: number;
}

/** Signs an access token (RFC 9068) for one partner or operator. */
export function signAccessToken(
  keyring: Pick<Keyring, 'signStatement'>,
  { caller, gen, exchangedFor, sessionId }: Omit<AccessToken, 'expiresAtMs'>,
  { baseUrl, nowMs, lifeSeconds }: AccessTokenOptions,
): string {
  const iat = Math.floor(nowMs / 1000);
  return keyring.signStatement(accessTokenType, {
    iss: baseUrl,
    aud: toAudience(caller.kind, baseUrl),
    jti: uuidv7(),
    iat,
    exp: iat + lifeSeconds,
    gen,
    ...toClaims(caller),
    ...(exchangedFor === undefined ? {} : { exchanged_for: exchangedFor }),
    ...(sessionId === undefined ? {} : { sid: sessionId }),
  });
}

export interface AccessTokenVerifierDeps {
  readonly keyring: Pick<Keyring, 'verifyStatement' | 'knowsKey'>;
  readonly baseUrl: string;
  readonly nowMs: () => number;
  /** Time after its end for which a token is still accepted, for a call that began before it. */
  readonly lateMs?: number;
}

/** @throws KeyringError with the reason of the refusal; not to be shown to the caller */
export type VerifyAccessToken = (token: string) => AccessToken;

const maxCached = 10_000;
/** Allowed difference between the clocks of two hosts. */
const skewSeconds = 5;

/**
 * Creates a verifier of access tokens by the signer's public keys. A signature is verified once; its claims are cached
 * until the token ends.
 */
export function createAccessTokenVerifier(deps: AccessTokenVerifierDeps): VerifyAccessToken {
  const { keyring, nowMs, lateMs = 0 } = deps;
  const cache = new LRUCache<string, { readonly said: AccessToken; readonly kid: string }>({
    max: maxCached,
  });
  return (token) => {
    const known = cache.get(token);
    // An ended key invalidates its signatures, even cached ones.
    if (known !== undefined && keyring.knowsKey(tokenSigner, known.kid)) {
      assertInTime(known.said, nowMs() - lateMs);
      return known.said;
    }
    const verified = verify(token, deps);
    assertInTime(verified.said, nowMs() - lateMs);
    cache.set(token, verified);
    return verified.said;
  };
}

function verify(token: string, { keyring, baseUrl, nowMs }: AccessTokenVerifierDeps) {
  const expected = { type: accessTokenType, issuer: tokenSigner, iss: baseUrl };
  const { kid, claims } = keyring.verifyStatement(token, expected);
  const parsed = claimsSchema.safeParse(claims);
  if (!parsed.success) throw new KeyringError('malformed', 'these are not the claims of an access token');
  const { aud, exp, iat, gen, kind } = parsed.data;
  if (aud !== toAudience(kind, baseUrl)) throw new KeyringError('malformed', 'it is for another audience');
  if (iat - skewSeconds > nowMs() / 1000) throw new KeyringError('expired', 'it begins in the future');
  const exchangedFor = kind === 'partner' ? parsed.data.exchanged_for : undefined;
  const sessionId = kind === 'operator' ? parsed.data.sid : undefined;
  const said = {
    caller: fromCallerClaims(parsed.data),
    gen,
    exchangedFor,
    sessionId,
    expiresAtMs: exp * 1000,
  };
  return { kid, said };
}

function assertInTime({ expiresAtMs }: AccessToken, nowMs: number): void {
  if (expiresAtMs <= nowMs) throw new KeyringError('expired', 'the access token has expired');
}
