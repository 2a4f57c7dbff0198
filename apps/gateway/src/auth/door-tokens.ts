import { type Keyring, tokenSigner } from '@rubrica/process';
import { LRUCache } from 'lru-cache';

/** Of partners and operators together; each is about 2 KB. */
const maxKept = 10_000;

/**
 * Access tokens as they cross the bus: sealed to intake, which made them and alone may read them, and bound to our door,
 * so that they open for no other service that shows them. A token is sealed once, for all its calls.
 */
export interface DoorTokens {
  seal(token: string): Promise<string>;
  /** Changes when tokens must be sealed anew: what was sealed to a key that was ended opens no more. */
  readonly sealedTo: () => string | undefined;
}

export function createDoorTokens(keyring: Pick<Keyring, 'sealTo' | 'sealingKeyOf'>): DoorTokens {
  const kept = new LRUCache<string, { readonly sealed: string; readonly key: string | undefined }>({
    max: maxKept,
  });
  const sealedTo = () => keyring.sealingKeyOf(tokenSigner);
  return {
    sealedTo,
    async seal(token) {
      const known = kept.get(token);
      const key = sealedTo();
      if (known !== undefined && known.key === key) return known.sealed;
      const sealed = await keyring.sealTo(tokenSigner, token, { purpose: 'door-token', owner: 'gateway' });
      kept.set(token, { sealed, key });
      return sealed;
    },
  };
}
