import type { Keyring } from '@rubrica/process/keyring';
import { sha256Hex } from './sha256-hex.ts';

/** Purposes of the tokens in addresses, each of its own page. */
type TokenPurpose = 'claim-token' | 'evidence-token' | 'entered-invitation';

/**
 * Hashes the token of a link, to find its row. The hash is computed here from the token itself: a hash read
 * from these tables or from their backup opens nothing.
 * @param peer calling service as the bus reports it; a token sealed by one service is useless to any other
 * @throws KeyringError
 */
export async function hashLinkToken(
  { keyring }: { readonly keyring: Pick<Keyring, 'openText'> },
  sealedToken: string,
  { purpose, peer }: { readonly purpose: TokenPurpose; readonly peer: string },
): Promise<string> {
  return sha256Hex(await keyring.openText(sealedToken, { purpose, owner: peer }));
}
