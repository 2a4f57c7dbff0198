import type { RevocationRequester } from '@rubrica/contracts/services/schemas/revocations';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import type { Keyring } from '@rubrica/process/keyring';
import { sha256Hex } from '../../../base/sha256-hex.ts';

/**
 * Caller of a revocation. With the link of the claim it has presented a secret. With a number it has
 * presented nothing, and its codes are bound to its browser.
 */
export interface RevocationCaller {
  readonly way: 'link' | 'number';
  /** Null with a link, and from a gateway of the previous release. */
  readonly browserSha256: string | null;
  readonly addressSha256: string | null;
}

/**
 * Returns the address under which calls are counted. It is the first 48 bits of an IPv6 network, because one
 * subscriber of a provider may have all of them. An IPv4 address counts as it is.
 */
export function toCountedAddress(address: string): string {
  return address.includes(':') ? `${address.split(':').slice(0, 3).join(':')}::/48` : address;
}

/** Hashes what the gateway reports of the browser. @throws KeyringError */
export async function readRevocationCaller(
  { target, sealedBrowser, address }: RevocationRequester,
  { keyring, peer }: { readonly keyring: Pick<Keyring, 'openText'>; readonly peer: ServiceName },
): Promise<RevocationCaller> {
  if ('sealedToken' in target) return { way: 'link', browserSha256: null, addressSha256: null };
  const binding = { purpose: 'revocation-browser', owner: peer } as const;
  return {
    way: 'number',
    browserSha256:
      sealedBrowser === undefined ? null : sha256Hex(await keyring.openText(sealedBrowser, binding)),
    addressSha256: address === undefined ? null : sha256Hex(toCountedAddress(address)),
  };
}
