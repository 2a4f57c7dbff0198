import type { VouchedCaller } from '@rubrica/contracts/shared/caller';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Keyring } from '../keyring/keyring.ts';
import { KeyringError } from '../keyring/keyring-error.ts';
import { uuidv7 } from '../time/uuidv7.ts';
import type { Identify } from '../trpc/call-context.ts';
import { tokenSigner } from './access-tokens.ts';
import { callerOf, claimsOf, operatorClaims, partnerClaims } from './caller-claims.ts';

/** Its own type: a door takes `at+jwt` alone, and a receiver of calls takes nothing else than this. */
const callTokenType = 'rubrica-call+jwt';
/** A right ends everywhere within it, as the token is made from rows that were read at its beginning. */
const lifeMs = 5_000;

const times = { aud: z.string(), azp: z.string(), jti: z.string(), iat: z.number(), exp: z.number() };
const claimsSchema = z.discriminatedUnion('kind', [
  z.object({ ...times, ...partnerClaims }),
  z.object({ ...times, ...operatorClaims }),
]);

export interface CallTokenOptions {
  /** The one service that takes it. */
  readonly receiver: ServiceName;
  /** The service that it is given to, and that alone may show it. */
  readonly givenTo: ServiceName;
  /** When the caller's rights were read. */
  readonly nowMs: number;
}

/** For calls that one service makes to another for a partner or an operator, by rights as they are now. Intake signs it. */
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
    ...claimsOf(caller),
  });
}

export interface CallTokenVerifierDeps {
  readonly keyring: Pick<Keyring, 'verifyStatement' | 'knowsKey'>;
  /** The receiver. */
  readonly self: ServiceName;
  readonly nowMs: () => number;
}

interface Said {
  readonly kid: string;
  readonly caller: VouchedCaller;
  readonly givenTo: string;
  readonly expiresAtMs: number;
}

const maxKept = 4_000;
/** Before its beginning; after its end there is none. */
const skewSeconds = 5;

/** Whom a call token speaks for, if it is for this service and in the hands that it was given to. Its signature is checked once. */
export function createCallTokenVerifier({ keyring, self, nowMs }: CallTokenVerifierDeps): Identify {
  const kept = new LRUCache<string, Said>({
    max: maxKept,
    ttl: 2 * lifeMs,
    ttlResolution: 0,
    perf: { now: nowMs },
  });
  const read = (token: string): Said => {
    const { kid, claims } = keyring.verifyStatement(token, { type: callTokenType, issuer: tokenSigner });
    const parsed = claimsSchema.safeParse(claims);
    if (!parsed.success) throw new KeyringError('malformed', 'these are not the claims of a call token');
    const { aud, azp, iat, exp } = parsed.data;
    if (aud !== self) throw new KeyringError('malformed', `it is for ${aud}`);
    if (iat - skewSeconds > nowMs() / 1000) throw new KeyringError('expired', 'it begins in the future');
    return { kid, caller: callerOf(parsed.data), givenTo: azp, expiresAtMs: exp * 1000 };
  };
  return (token, peer) => {
    const known = kept.get(token);
    // A key that was ended ends what it has signed, also where that was believed before.
    const isKnown = known !== undefined && keyring.knowsKey(tokenSigner, known.kid);
    const said = isKnown ? known : read(token);
    if (!isKnown) kept.set(token, said);
    if (said.givenTo !== peer)
      throw new KeyringError('issuer-not-allowed', `it was given to ${said.givenTo}, not to ${peer}`);
    if (said.expiresAtMs <= nowMs()) throw new KeyringError('expired', 'the call token has expired');
    return said.caller;
  };
}
