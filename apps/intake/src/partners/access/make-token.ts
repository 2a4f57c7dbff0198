import type { Scope } from '@rubrica/contracts/shared/enumerations';
import { AppError, signAccessToken } from '@rubrica/process';
import type { IntakeDeps } from '../../context.ts';
import type { Partner } from '../partner.entity.ts';

export type TokenDeps = Pick<IntakeDeps, 'keyring' | 'tokenClock' | 'baseUrl' | 'tokens'>;

/** An access token for a partner that has shown who it is. */
export function makeToken(partner: Partner, scopes: Scope[], deps: TokenDeps) {
  const { id: partnerId, clientId, gen } = partner;
  const { keyring, tokenClock, baseUrl, tokens } = deps;
  const accessToken = signAccessToken(
    keyring,
    { caller: { kind: 'partner', partnerId, clientId, scopes }, gen },
    { baseUrl, nowMs: tokenClock().getTime(), lifeSeconds: tokens.lifetimeSeconds },
  );
  return { accessToken, expiresInSeconds: tokens.lifetimeSeconds, scopes };
}

/**
 * All scopes of the client unless it asks for fewer; one that it does not have is refused, not left out.
 * @throws AppError FIELD_INVALID
 */
export function grantedScopes(asked: readonly string[] | undefined, allowed: readonly Scope[]): Scope[] {
  if (asked === undefined) return [...allowed];
  const wanted = new Set(asked);
  const granted = allowed.filter((scope) => wanted.has(scope));
  if (granted.length === wanted.size) return granted;
  throw new AppError({ code: 'FIELD_INVALID', publicMessage: `scope must be some of: ${allowed.join(' ')}` });
}
