import type { Keyring } from '@rubrica/process/keyring';
import { tokenSigner } from '@rubrica/process/tokens';
import { LRUCache } from 'lru-cache';

/** Maximum number of cached tokens of partners and operators; each takes about 2 KB. */
const maxCached = 10_000;

/**
 * Access tokens sealed for the bus. Only intake, which issued them, can open them, and only as sent by the gateway, so
 * another service cannot replay them. Each token is sealed once for all its calls.
 */
export interface SealedAccessTokens {
  seal(token: string): Promise<string>;
  /** Changes when tokens must be sealed again: a token sealed to a revoked key cannot be opened. */
  readonly sealedTo: () => string | undefined;
}

export function createSealedAccessTokens(
  keyring: Pick<Keyring, 'sealTo' | 'sealingKeyOf'>,
): SealedAccessTokens {
  const cache = new LRUCache<string, { readonly sealed: string; readonly key: string | undefined }>({
    max: maxCached,
  });
  const sealedTo = () => keyring.sealingKeyOf(tokenSigner);
  return {
    sealedTo,
    async seal(token) {
      const cached = cache.get(token);
      const key = sealedTo();
      if (cached !== undefined && cached.key === key) return cached.sealed;
      const sealed = await keyring.sealTo(tokenSigner, token, { purpose: 'door-token', owner: 'gateway' });
      cache.set(token, { sealed, key });
      return sealed;
    },
  };
}
