import { createText } from '@rubrica/contracts/error-texts/create-text';
import { AppError } from '@rubrica/process/errors';
import type { Clock } from '@rubrica/process/time';
import { LRUCache } from 'lru-cache';
import type { PartnerCaller } from '../context.ts';
import type { AccessTokens, PartnerIdentity, VerifiedToken } from './access-tokens.ts';
import { parseBearerToken } from './bearer.ts';
import type { ExchangedTokens } from './exchanged-tokens.ts';
import type { SealedAccessTokens } from './sealed-access-tokens.ts';

export interface AuthenticationDeps {
  readonly tokens: Pick<AccessTokens, 'verifyPartner'>;
  readonly doorTokens: Pick<SealedAccessTokens, 'sealedTo'>;
  readonly exchanged: ExchangedTokens;
  readonly clock: Clock;
}

/**
 * Authenticates the partner of a request.
 * @throws AppError UNAUTHENTICATED; SERVICE_UNAVAILABLE where the token cannot be checked now
 */
export type AuthenticatePartner = (
  authorization: string | undefined,
) => Promise<PartnerCaller> | PartnerCaller;

const maxCached = 10_000;

interface CachedCaller {
  readonly caller: PartnerCaller;
  readonly expiresAtMs: number;
  readonly sealedTo: string | undefined;
}

/**
 * Creates the authentication by bearer token: our own access token, an API token, or one of the partner's own issuer.
 */
export function createPartnerAuthentication(deps: AuthenticationDeps): AuthenticatePartner {
  // Verifying a signature costs more than the rest of the gateway's work on a call, so verified tokens are cached.
  const cache = new LRUCache<string, CachedCaller>({ max: maxCached });
  const verify = createVerifier(deps);

  const verifyAndCache = async (token: string): Promise<PartnerCaller> => {
    const { identity, expiresAtMs } = await verify(token);
    const caller = toCaller(identity);
    cache.set(token, { caller, expiresAtMs, sealedTo: deps.doorTokens.sealedTo() });
    return caller;
  };

  return (authorization) => {
    const token = parseBearerToken(authorization);
    if (token === undefined) throw createUnauthenticated(authorization);
    const known = cache.get(token);
    if (known === undefined)
      return deps.exchanged.isExchanged(token) ? exchange(deps, token) : verifyAndCache(token);
    if (known.sealedTo !== deps.doorTokens.sealedTo()) return verifyAndCache(token);
    if (known.expiresAtMs > deps.clock().getTime()) return known.caller;
    cache.delete(token);
    throw new AppError({ code: 'UNAUTHENTICATED', text: createText('access.tokenExpired') });
  };
}

function createVerifier({ tokens }: AuthenticationDeps) {
  return async (token: string): Promise<VerifiedToken<PartnerIdentity>> => {
    try {
      return await tokens.verifyPartner(token);
    } catch (cause) {
      if (cause instanceof AppError) throw cause;
      throw new AppError({
        code: 'UNAUTHENTICATED',
        text: createText('access.tokenInvalid'),
        cause,
      });
    }
  };
}

async function exchange(
  { exchanged }: Pick<AuthenticationDeps, 'exchanged'>,
  token: string,
): Promise<PartnerCaller> {
  const identity = await exchanged.resolve(token);
  if (identity !== undefined) return toCaller(identity);
  throw new AppError({
    code: 'UNAUTHENTICATED',
    text: createText('access.tokenUnknown'),
  });
}

function toCaller({ scopes, ...identity }: PartnerIdentity): PartnerCaller {
  return { kind: 'partner', ...identity, scopes: [...scopes] };
}

function createUnauthenticated(authorization: string | undefined): AppError {
  const text =
    authorization === undefined ? createText('access.bearerRequired') : createText('access.bearerMalformed');
  return new AppError({ code: 'UNAUTHENTICATED', text });
}
