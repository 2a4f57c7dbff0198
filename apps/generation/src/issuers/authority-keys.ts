import type { KeyObject } from 'node:crypto';
import type { KeyAlgorithm, Signer } from '@rubrica/pki';
import type { KeyReference } from './authorities/authority-file.ts';

/** A key that was just made. */
export interface NewKey {
  readonly reference: KeyReference;
  readonly publicKey: KeyObject;
  readonly sign: Signer;
}

/** Where the private keys of authorities live. */
export interface AuthorityKeys {
  /** @param name of the authority */
  make(name: string, algorithm: KeyAlgorithm, options?: KeyOptions): Promise<NewKey>;
  /** @throws Error when the key cannot be opened or does not belong to `publicKey` */
  open(reference: KeyReference, publicKey: KeyObject, options?: KeyOptions): Promise<Signer>;
}

export interface KeyOptions {
  /** Public keys: a token that holds one of theirs is not used. So a root's token serves no service. */
  readonly notBeside?: readonly KeyObject[];
}
