import type { newSession } from '@rubrica/contracts/services/schemas/tokens';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import type { Keyring } from '@rubrica/process/keyring';
import { newTokenBinding } from '@rubrica/process/tokens';
import type { z } from 'zod';
import type { SessionTokens } from './open-session.ts';

interface SealOptions {
  /** Service that presents the proof and receives the tokens. */
  readonly peer: ServiceName;
  /** Proof of the operator's identity, sealed as it came. */
  readonly sealedProof: string;
}

/** Seals the tokens of a session for the bus. */
export async function sealSession(
  { accessToken, refreshToken, expiresInSeconds, role, scope }: SessionTokens,
  { peer, sealedProof }: SealOptions,
  { keyring }: { readonly keyring: Pick<Keyring, 'sealTo'> },
): Promise<z.input<typeof newSession>> {
  const [sealedAccessToken, sealedRefreshToken] = await Promise.all([
    keyring.sealTo(peer, accessToken, newTokenBinding(sealedProof)),
    keyring.sealTo(peer, refreshToken, newTokenBinding(sealedProof, 'new-refresh-token')),
  ]);
  return { sealedAccessToken, sealedRefreshToken, expiresInSeconds, role, scope };
}
