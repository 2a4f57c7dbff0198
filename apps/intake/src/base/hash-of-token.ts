import type { Keyring } from '@rubrica/process';
import { sha256Hex } from './sha256-hex.ts';

/** Tokens in addresses, by whose page they come from. */
type TokenPurpose = 'claim-token' | 'evidence-token' | 'entered-invitation';

/**
 * The hash by which the token of a link is found. It is made here, of the token itself: a hash that was read in these
 * tables, or in a backup of them, opens nothing.
 * @param peer who shows it, as the bus has it: what was sealed by one service serves no other
 * @throws KeyringError
 */
export async function hashOfToken(
  { keyring }: { readonly keyring: Pick<Keyring, 'openText'> },
  sealedToken: string,
  { purpose, peer }: { readonly purpose: TokenPurpose; readonly peer: string },
): Promise<string> {
  return sha256Hex(await keyring.openText(sealedToken, { purpose, owner: peer }));
}
