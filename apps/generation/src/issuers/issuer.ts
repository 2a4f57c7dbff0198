import type { KeyObject } from 'node:crypto';
import type { IssuerIdentity, ParsedCertificate, SignatureAlgorithm, Signer } from '@rubrica/pki';

/** A certification authority that signs subscribers' certificates, wherever its key lives. */
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
  /** Answers OCSP for it. */
  readonly responder: Responder;
}

/** A delegated OCSP responder (RFC 6960 §4.2.2.2). */
export interface Responder {
  readonly certificate: ParsedCertificate;
  /** How answers name it. */
  readonly keyId: Uint8Array;
  readonly signatureAlgorithm: SignatureAlgorithm;
  readonly sign: Signer;
}

/** A root whose key is at hand: it signs its CRL, and nothing else while the service runs. */
export type RootAuthority = Pick<Issuer, 'name' | 'identity' | 'publicKey' | 'sign'>;

/** A published certificate of an authority. */
export interface PublishedAuthority {
  readonly name: string;
  readonly kind: 'root' | 'issuing';
  /** DER. */
  readonly certificate: Uint8Array;
  /** That of a root whose key is elsewhere: nobody here can sign the next one. */
  readonly crl: PublishedCrl | undefined;
}

export interface PublishedCrl {
  readonly der: Uint8Array;
  readonly thisUpdate: Date;
  readonly nextUpdate: Date;
}

/** The authorities of this service: one signs, all are published. */
export interface Issuers {
  readonly active: Issuer;
  /** Every issuing authority, the active first: old ones still sign CRLs and OCSP answers. */
  readonly all: readonly Issuer[];
  /** Undefined where its key is elsewhere: its CRL then comes with the answers of the ceremony. */
  readonly root: RootAuthority | undefined;
  readonly published: readonly PublishedAuthority[];
}
