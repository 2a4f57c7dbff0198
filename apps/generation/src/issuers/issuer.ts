import type { KeyObject } from 'node:crypto';
import type { IssuerIdentity, ParsedCertificate, SignatureAlgorithm, Signer } from '@rubrica/pki';

/** Certification authority that signs subscribers' certificates, wherever its key is. */
export interface Issuer {
  /** Names its published files: `<name>.cer`. */
  readonly name: string;
  readonly certificate: ParsedCertificate;
  readonly identity: IssuerIdentity;
  /** Its certificate and its parents', nearest first, DER. */
  readonly chain: readonly Uint8Array[];
  readonly publicKey: KeyObject;
  /** Signs with the authority's key. Rejects when the key cannot be used. */
  readonly sign: Signer;
  /** Answers OCSP for this authority. */
  readonly responder: Responder;
}

/** Delegated OCSP responder (RFC 6960 §4.2.2.2). */
export interface Responder {
  readonly certificate: ParsedCertificate;
  /** Identifies the responder in answers. */
  readonly keyId: Uint8Array;
  readonly signatureAlgorithm: SignatureAlgorithm;
  readonly sign: Signer;
}

/** Root with an available key: it signs its CRL, and nothing else while the service runs. */
export type RootAuthority = Pick<Issuer, 'name' | 'identity' | 'publicKey' | 'sign'>;

/** Published certificate of an authority. */
export interface PublishedAuthority {
  readonly name: string;
  readonly kind: 'root' | 'issuing';
  /** DER. */
  readonly certificate: Uint8Array;
  /** CRL of an offline root: this service cannot sign the next one. */
  readonly crl: PublishedCrl | undefined;
}

export interface PublishedCrl {
  readonly der: Uint8Array;
  readonly thisUpdate: Date;
  readonly nextUpdate: Date;
}

/** Authorities of this service: one signs, all are published. */
export interface Issuers {
  readonly active: Issuer;
  /** All issuing authorities, the active one first; old ones still sign CRLs and OCSP answers. */
  readonly all: readonly Issuer[];
  /** Undefined for an offline root: its CRL comes with the answers of the ceremony. */
  readonly root: RootAuthority | undefined;
  readonly published: readonly PublishedAuthority[];
}
