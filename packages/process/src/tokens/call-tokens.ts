import type { VouchedCaller } from '@rubrica/contracts/shared/caller';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Keyring } from '../keyring/keyring.ts';
import { KeyringError } from '../keyring/keyring-error.ts';
import { uuidv7 } from '../time/uuidv7.ts';
import type { Identify } from '../trpc/call-context.ts';
import { tokenSigner } from './access-tokens.ts';
import { fromCallerClaims, operatorClaims, partnerClaims, toClaims } from './caller-claims.ts';

/** Separate type: entry points accept only `at+jwt`, and receivers of calls accept only this one. */
const callTokenType = 'rubrica-call+jwt';
/** Time after which a lost right has ended everywhere, because the token is issued from rows read at its start. */
const lifeMs = 5_000;

const times = { aud: z.string(), azp: z.string(), jti: z.string(), iat: z.number(), exp: z.number() };
const claimsSchema = z.discriminatedUnion('kind', [
  z.object({ ...times, ...partnerClaims }),
  z.object({ ...times, ...operatorClaims }),
]);

export interface CallTokenOptions {
  /** The only service that accepts it. */
  readonly receiver: ServiceName;
  /** Service that receives the token, and the only one that may present it. */
  readonly givenTo: ServiceName;
  /** Time at which the caller's rights were read. */
  readonly nowMs: number;
}

/**
 * Signs a token for calls of one service to another for a partner or an operator, with their present rights. Intake
 * signs it.
 */
export function signCallToken(
  keyring: Pick<Keyring, 'signStatement'>,
  caller: VouchedCaller,
  { receiver, givenTo, nowMs }: CallTokenOptions,
): string {
  return keyring.signStatement(callTokenType, {
    aud: receiver,
    azp: givenTo,
    jti: uuidv7(),
    iat: nowMs / 1000,
    exp: (nowMs + lifeMs) / 1000,
    ...toClaims(caller),
  });
}

export interface CallTokenVerifierDeps {
  readonly keyring: Pick<Keyring, 'verifyStatement' | 'knowsKey'>;
  /** Receiver of the calls. */
  readonly self: ServiceName;
  readonly nowMs: () => number;
}

interface VerifiedToken {
  readonly kid: string;
  readonly caller: VouchedCaller;
  readonly givenTo: string;
  readonly expiresAtMs: number;
}

const maxCached = 4_000;
/** Tolerance before its start; there is none after its end. */
const skewSeconds = 5;

/**
 * Creates a function that identifies the caller of a call token, if it is for this service and presented by its
 * recipient. A signature is verified once.
 */
export function createCallTokenVerifier({ keyring, self, nowMs }: CallTokenVerifierDeps): Identify {
  const cache = new LRUCache<string, VerifiedToken>({
    max: maxCached,
    ttl: 2 * lifeMs,
    ttlResolution: 0,
    perf: { now: nowMs },
  });
  const read = (token: string): VerifiedToken => {
    const { kid, claims } = keyring.verifyStatement(token, { type: callTokenType, issuer: tokenSigner });
    const parsed = claimsSchema.safeParse(claims);
    if (!parsed.success) throw new KeyringError('malformed', 'these are not the claims of a call token');
    const { aud, azp, iat, exp } = parsed.data;
    if (aud !== self) throw new KeyringError('malformed', `it is for ${aud}`);
    if (iat - skewSeconds > nowMs() / 1000) throw new KeyringError('expired', 'it begins in the future');
    return { kid, caller: fromCallerClaims(parsed.data), givenTo: azp, expiresAtMs: exp * 1000 };
  };
  return (token, peer) => {
    const known = cache.get(token);
    // An ended key invalidates its signatures, even cached ones.
    const isKnown = known !== undefined && keyring.knowsKey(tokenSigner, known.kid);
    const said = isKnown ? known : read(token);
    if (!isKnown) cache.set(token, said);
    if (said.givenTo !== peer)
      throw new KeyringError('issuer-not-allowed', `it was given to ${said.givenTo}, not to ${peer}`);
    if (said.expiresAtMs <= nowMs()) throw new KeyringError('expired', 'the call token has expired');
    return said.caller;
  };
}
