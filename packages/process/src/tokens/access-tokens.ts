import type { VouchedCaller } from '@rubrica/contracts/shared/caller';
import { idSchema } from '@rubrica/contracts/shared/fields';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Keyring } from '../keyring/keyring.ts';
import { KeyringError } from '../keyring/keyring-error.ts';
import { uuidv7 } from '../time/uuidv7.ts';
import { callerOf, claimsOf, operatorClaims, partnerClaims } from './caller-claims.ts';

/** RFC 9068 §2.1: keeps an access token from passing for any other kind of JWT. */
const accessTokenType = 'at+jwt';

/** The only service that signs tokens: it keeps partners and operators, and so knows what they may. */
export const tokenSigner = 'intake';

/** What an access token says: whose it is, and which state of their rights it was made from. */
export interface AccessToken {
  readonly caller: VouchedCaller;
  /** Of the partner's or operator's row when the token was made; each loss of a right raises the row's. */
  readonly gen: number;
  /**
   * What it was exchanged for: the id of an API token, or `issuer` for a token of the partner's own issuer. It counts as
   * long as that one does, whatever becomes of other rights: whoever shows that one could not ask for a new one.
   */
  readonly exchangedFor?: string | undefined;
  /** Of an operator: the session that it was made for, and ends with. */
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

/** Each kind has an audience of its own, so neither is accepted where the other is expected. */
function audienceOf(kind: VouchedCaller['kind'], baseUrl: string): string {
  return kind === 'partner' ? baseUrl : `${baseUrl}/trpc`;
}

export interface AccessTokenOptions {
  /** Our base address: the issuer, and the audience of partners' tokens. */
  readonly baseUrl: string;
  readonly nowMs: number;
  readonly lifeSeconds: number;
}

/** A signed access token (RFC 9068) for one partner or operator. */
export function signAccessToken(
  keyring: Pick<Keyring, 'signStatement'>,
  { caller, gen, exchangedFor, sessionId }: Omit<AccessToken, 'expiresAtMs'>,
  { baseUrl, nowMs, lifeSeconds }: AccessTokenOptions,
): string {
  const iat = Math.floor(nowMs / 1000);
  return keyring.signStatement(accessTokenType, {
    iss: baseUrl,
    aud: audienceOf(caller.kind, baseUrl),
    jti: uuidv7(),
    iat,
    exp: iat + lifeSeconds,
    gen,
    ...claimsOf(caller),
    ...(exchangedFor === undefined ? {} : { exchanged_for: exchangedFor }),
    ...(sessionId === undefined ? {} : { sid: sessionId }),
  });
}

export interface AccessTokenVerifierDeps {
  readonly keyring: Pick<Keyring, 'verifyStatement' | 'knowsKey'>;
  readonly baseUrl: string;
  readonly nowMs: () => number;
  /** How long after its end a token is still taken, for a call that began before it. */
  readonly lateMs?: number;
}

/** @throws KeyringError that says why the token is refused; not to be shown to the caller */
export type VerifyAccessToken = (token: string) => AccessToken;

const maxKept = 10_000;
/** Between the clocks of two hosts. */
const skewSeconds = 5;

/** Checks access tokens by the signer's public keys. A signature is checked once; what it said is remembered to its end. */
export function createAccessTokenVerifier(deps: AccessTokenVerifierDeps): VerifyAccessToken {
  const { keyring, nowMs, lateMs = 0 } = deps;
  const kept = new LRUCache<string, { readonly said: AccessToken; readonly kid: string }>({
    max: maxKept,
  });
  return (token) => {
    const known = kept.get(token);
    // A key that was ended ends what it has signed, also where that was believed before.
    if (known !== undefined && keyring.knowsKey(tokenSigner, known.kid)) {
      assertInTime(known.said, nowMs() - lateMs);
      return known.said;
    }
    const verified = verify(token, deps);
    assertInTime(verified.said, nowMs() - lateMs);
    kept.set(token, verified);
    return verified.said;
  };
}

function verify(token: string, { keyring, baseUrl, nowMs }: AccessTokenVerifierDeps) {
  const expected = { type: accessTokenType, issuer: tokenSigner, iss: baseUrl };
  const { kid, claims } = keyring.verifyStatement(token, expected);
  const parsed = claimsSchema.safeParse(claims);
  if (!parsed.success) throw new KeyringError('malformed', 'these are not the claims of an access token');
  const { aud, exp, iat, gen, kind } = parsed.data;
  if (aud !== audienceOf(kind, baseUrl)) throw new KeyringError('malformed', 'it is for another audience');
  if (iat - skewSeconds > nowMs() / 1000) throw new KeyringError('expired', 'it begins in the future');
  const exchangedFor = kind === 'partner' ? parsed.data.exchanged_for : undefined;
  const sessionId = kind === 'operator' ? parsed.data.sid : undefined;
  const said = { caller: callerOf(parsed.data), gen, exchangedFor, sessionId, expiresAtMs: exp * 1000 };
  return { kid, said };
}

function assertInTime({ expiresAtMs }: AccessToken, nowMs: number): void {
  if (expiresAtMs <= nowMs) throw new KeyringError('expired', 'the access token has expired');
}
