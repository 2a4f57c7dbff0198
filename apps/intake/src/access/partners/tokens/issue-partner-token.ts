import { createFieldText, createText } from '@rubrica/contracts/error-texts/create-text';
import type { Scope, ServiceName } from '@rubrica/contracts/shared/enumerations';
import { AppError } from '@rubrica/process/errors';
import { newTokenBinding, signAccessToken } from '@rubrica/process/tokens';
import type { AccessDeps } from '../../deps.ts';
import type { Partner } from '../partner.entity.ts';

export type TokenDeps = Pick<AccessDeps, 'keyring' | 'tokenClock' | 'baseUrl' | 'tokens'>;

export interface PartnerTokenOptions {
  /** Service that presents the proof and receives the token. */
  readonly peer: ServiceName;
  /** Proof of the partner's identity, sealed as it came. */
  readonly sealedProof: string;
  readonly scopes: Scope[];
}

/** Issues an access token to a partner that has proven its identity. */
export async function issuePartnerToken(
  partner: Partner,
  { peer, sealedProof, scopes }: PartnerTokenOptions,
  deps: TokenDeps,
) {
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
 * Selects the scopes of a token: all of the client's, unless it asks for fewer. A scope that the client does
 * not have is refused rather than left out.
 * @throws AppError FIELD_INVALID
 */
export function selectScopes(requested: readonly string[] | undefined, allowed: readonly Scope[]): Scope[] {
  if (requested === undefined) return [...allowed];
  const distinct = new Set(requested);
  const selected = allowed.filter((scope) => distinct.has(scope));
  if (selected.length === distinct.size) return selected;
  throw new AppError({
    code: 'FIELD_INVALID',
    text: createFieldText('scope', createText('field.someOf', { values: allowed.join(' ') })),
  });
}
