import { AppError, type Clock, createLruCache } from '@rubrica/process';
import type { PartnerCaller } from '../context.ts';
import type { AccessTokens, PartnerIdentity, Verified } from './access-tokens.ts';
import { apiTokenPrefix, type ResolveApiToken } from './api-tokens.ts';
import { bearerToken, claimedIssuer } from './bearer.ts';
import type { ExternalIssuer } from './external-issuer.ts';

export interface AuthenticationDeps {
  readonly tokens: Pick<AccessTokens, 'verifyPartner'>;
  readonly resolveApiToken: ResolveApiToken;
  readonly external: ExternalIssuer | undefined;
  readonly clock: Clock;
}

/** @throws AppError UNAUTHENTICATED, or SERVICE_UNAVAILABLE where it cannot be checked now */
export type AuthenticatePartner = (
  authorization: string | undefined,
) => Promise<PartnerCaller> | PartnerCaller;

const maxKept = 10_000;

interface Kept {
  readonly caller: PartnerCaller;
  readonly expiresAtMs: number;
}

/** Finds the partner of a bearer token: an access token of ours, an API token, or one of the external issuer. */
export function createPartnerAuthentication(deps: AuthenticationDeps): AuthenticatePartner {
  // Checking a signature costs more than the rest of the gateway's work on a call; a checked token stays what it is.
  const kept = createLruCache<string, Kept>({ max: maxKept });
  const verify = createVerifier(deps);

  const remember = async (token: string): Promise<PartnerCaller> => {
    const { identity, expiresAtMs } = await verify(token);
    const caller = toCaller(identity);
    kept.set(token, { caller, expiresAtMs });
    return caller;
  };

  return (authorization) => {
    const token = bearerToken(authorization);
    if (token === undefined) throw refused(authorization);
    if (token.startsWith(apiTokenPrefix)) return resolveStatic(deps.resolveApiToken, token);
    const known = kept.get(token);
    if (known === undefined) return remember(token);
    if (known.expiresAtMs > deps.clock().getTime()) return known.caller;
    kept.delete(token);
    throw new AppError({ code: 'UNAUTHENTICATED', publicMessage: 'The access token has expired' });
  };
}

function createVerifier({ tokens, external }: AuthenticationDeps) {
  return async (token: string): Promise<Verified<PartnerIdentity>> => {
    const isExternal = external !== undefined && claimedIssuer(token) === external.issuer;
    try {
      return await (isExternal ? external : tokens).verifyPartner(token);
    } catch (cause) {
      if (cause instanceof AppError) throw cause;
      throw new AppError({
        code: 'UNAUTHENTICATED',
        publicMessage: 'The access token is not valid or has expired',
        cause,
      });
    }
  };
}

async function resolveStatic(resolve: ResolveApiToken, token: string): Promise<PartnerCaller> {
  const identity = await resolve(token);
  if (identity !== undefined) return toCaller(identity);
  throw new AppError({
    code: 'UNAUTHENTICATED',
    publicMessage: 'The API token is unknown, revoked or expired',
  });
}

function toCaller({ partnerId, clientId, scopes, gen }: PartnerIdentity): PartnerCaller {
  const caller: PartnerCaller = { kind: 'partner', partnerId, clientId, scopes: [...scopes] };
  return gen === undefined ? caller : { ...caller, gen };
}

function refused(authorization: string | undefined): AppError {
  const publicMessage =
    authorization === undefined
      ? 'The header "Authorization: Bearer <access token>" is required'
      : 'The Authorization header must be "Bearer" and a token';
  return new AppError({ code: 'UNAUTHENTICATED', publicMessage });
}
