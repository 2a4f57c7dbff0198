import { createFieldText, createText } from '@rubrica/contracts/error-texts/create-text';
import type { Scope, ServiceName } from '@rubrica/contracts/shared/enumerations';
import { AppError, newTokenBinding, signAccessToken } from '@rubrica/process';
import type { AccessDeps } from '../../deps.ts';
import type { Partner } from '../partner.entity.ts';

export type TokenDeps = Pick<AccessDeps, 'keyring' | 'tokenClock' | 'baseUrl' | 'tokens'>;

export interface Asked {
  /** The service that shows the proof, and is given the token. */
  readonly peer: ServiceName;
  /** What has shown who the partner is, as it came. */
  readonly sealedProof: string;
  readonly scopes: Scope[];
}

/** An access token for a partner that has shown who it is. */
export async function makeToken(partner: Partner, { peer, sealedProof, scopes }: Asked, deps: TokenDeps) {
  const { id: partnerId, clientId, gen } = partner;
  const { keyring, tokenClock, baseUrl, tokens } = deps;
  const accessToken = signAccessToken(
    keyring,
    { caller: { kind: 'partner', partnerId, clientId, scopes }, gen },
    { baseUrl, nowMs: tokenClock().getTime(), lifeSeconds: tokens.lifetimeSeconds },
  );
  const sealedAccessToken = await keyring.sealTo(peer, accessToken, newTokenBinding(sealedProof));
  return { sealedAccessToken, expiresInSeconds: tokens.lifetimeSeconds, scopes };
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
  throw new AppError({
    code: 'FIELD_INVALID',
    text: createFieldText('scope', createText('field.someOf', { values: allowed.join(' ') })),
  });
}
