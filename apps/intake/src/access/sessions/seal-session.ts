import type { newSession } from '@rubrica/contracts/services/schemas/tokens';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { type Keyring, newTokenBinding } from '@rubrica/process';
import type { z } from 'zod';
import type { SessionTokens } from './open-session.ts';

interface AskedBy {
  /** The service that shows the proof, and is given the tokens. */
  readonly peer: ServiceName;
  /** What has shown who the operator is, as it came. */
  readonly sealedProof: string;
}

/** A session's tokens as they cross the bus. */
export async function sealSession(
  { accessToken, refreshToken, expiresInSeconds, role, scope }: SessionTokens,
  { peer, sealedProof }: AskedBy,
  { keyring }: { readonly keyring: Pick<Keyring, 'sealTo'> },
): Promise<z.input<typeof newSession>> {
  const [sealedAccessToken, sealedRefreshToken] = await Promise.all([
    keyring.sealTo(peer, accessToken, newTokenBinding(sealedProof)),
    keyring.sealTo(peer, refreshToken, newTokenBinding(sealedProof, 'new-refresh-token')),
  ]);
  return { sealedAccessToken, sealedRefreshToken, expiresInSeconds, role, scope };
}
