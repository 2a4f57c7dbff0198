import type { KeyObject } from 'node:crypto';
import type { IssuerIdentity, ParsedCertificate, Signer } from '@rubrica/pki';

/** A certification authority that signs holders' certificates, wherever its key lives. */
export interface Issuer {
  /** Names its published files: `<name>.cer`. */
  readonly name: string;
  readonly certificate: ParsedCertificate;
  readonly identity: IssuerIdentity;
  /** Its certificate and those above it, nearest first, DER. */
  readonly chain: readonly Uint8Array[];
  readonly publicKey: KeyObject;
  /** Signs with the authority's key. Rejects when the key cannot be used. */
  readonly sign: Signer;
}

/** A published certificate of an authority. */
export interface PublishedAuthority {
  readonly name: string;
  readonly kind: 'root' | 'issuing';
  /** DER. */
  readonly certificate: Uint8Array;
}

/** The authorities of this service: one signs, all are published. */
export interface Issuers {
  readonly active: Issuer;
  readonly published: readonly PublishedAuthority[];
}
