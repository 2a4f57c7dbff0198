import type { OperatorOutput } from '@rubrica/contracts/operators/procedures';
import type * as tokensContract from '@rubrica/contracts/services/schemas/tokens';
import type { Keyring } from '@rubrica/process/keyring';
import { newTokenBinding } from '@rubrica/process/tokens';
import type { z } from 'zod';

/**
 * Opens the tokens of a session for the operator.
 * @throws KeyringError for an answer to another proof
 */
export async function openSession(
  made: z.output<typeof tokensContract.newSession>,
  sealedProof: string,
  keyring: Pick<Keyring, 'openText'>,
): Promise<OperatorOutput<'auth.refresh'>> {
  const { sealedAccessToken, sealedRefreshToken, expiresInSeconds: expiresIn, role, scope } = made;
  const [accessToken, refreshToken] = await Promise.all([
    keyring.openText(sealedAccessToken, newTokenBinding(sealedProof)),
    keyring.openText(sealedRefreshToken, newTokenBinding(sealedProof, 'new-refresh-token')),
  ]);
  return { accessToken, expiresIn, refreshToken, role, scope };
}
