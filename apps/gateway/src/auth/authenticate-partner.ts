import { createText } from '@rubrica/contracts/error-texts/create-text';
import { AppError, type Clock } from '@rubrica/process';
import { LRUCache } from 'lru-cache';
import type { PartnerCaller } from '../context.ts';
import type { AccessTokens, PartnerIdentity, Verified } from './access-tokens.ts';
import { bearerToken } from './bearer.ts';
import type { DoorTokens } from './door-tokens.ts';
import type { ExchangedTokens } from './exchanged-tokens.ts';

export interface AuthenticationDeps {
  readonly tokens: Pick<AccessTokens, 'verifyPartner'>;
  readonly doorTokens: Pick<DoorTokens, 'sealedTo'>;
  readonly exchanged: ExchangedTokens;
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
  readonly sealedTo: string | undefined;
}

/** Finds the partner of a bearer token: an access token of ours, an API token, or one of the partner's own issuer. */
export function createPartnerAuthentication(deps: AuthenticationDeps): AuthenticatePartner {
  // Checking a signature costs more than the rest of the gateway's work on a call; a checked token stays what it is.
  const kept = new LRUCache<string, Kept>({ max: maxKept });
  const verify = createVerifier(deps);

  const remember = async (token: string): Promise<PartnerCaller> => {
    const { identity, expiresAtMs } = await verify(token);
    const caller = toCaller(identity);
    kept.set(token, { caller, expiresAtMs, sealedTo: deps.doorTokens.sealedTo() });
    return caller;
  };

  return (authorization) => {
    const token = bearerToken(authorization);
    if (token === undefined) throw refused(authorization);
    const known = kept.get(token);
    if (known === undefined)
      return deps.exchanged.isExchanged(token) ? exchange(deps, token) : remember(token);
    if (known.sealedTo !== deps.doorTokens.sealedTo()) return remember(token);
    if (known.expiresAtMs > deps.clock().getTime()) return known.caller;
    kept.delete(token);
    throw new AppError({ code: 'UNAUTHENTICATED', text: createText('access.tokenExpired') });
  };
}

function createVerifier({ tokens }: AuthenticationDeps) {
  return async (token: string): Promise<Verified<PartnerIdentity>> => {
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

function refused(authorization: string | undefined): AppError {
  const text =
    authorization === undefined ? createText('access.bearerRequired') : createText('access.bearerMalformed');
  return new AppError({ code: 'UNAUTHENTICATED', text });
}
