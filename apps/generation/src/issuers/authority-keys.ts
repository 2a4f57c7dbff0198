import type { KeyObject } from 'node:crypto';
import type { KeyAlgorithm, Signer } from '@rubrica/pki';
import type { KeyReference } from './authorities/authority-file.ts';

/** New key. */
export interface NewKey {
  readonly reference: KeyReference;
  readonly publicKey: KeyObject;
  readonly sign: Signer;
}

/** Store of the authorities' private keys. */
export interface AuthorityKeys {
  /**
   * Creates a key.
   * @param name of the authority
   */
  make(name: string, algorithm: KeyAlgorithm, options?: KeyOptions): Promise<NewKey>;
  /**
   * Opens a key.
   * @throws Error when the key cannot be opened or does not belong to `publicKey`
   */
  open(reference: KeyReference, publicKey: KeyObject, options?: KeyOptions): Promise<Signer>;
}

export interface KeyOptions {
  /** Public keys that the token must not hold, so that the token of a root never serves a service. */
  readonly notBeside?: readonly KeyObject[];
}
