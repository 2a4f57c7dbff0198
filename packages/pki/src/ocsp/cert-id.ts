import { createHash } from 'node:crypto';
import type { ParsedCertificate } from '../certificate/parse.ts';
import { readSerial, serialInteger } from '../certificate/serial.ts';
import { type DerNode, expectTag, Malformed, member, readOid } from '../der/read.ts';
import { nullValue, octetString, oid, sequence, tags } from '../der/write.ts';
import { oids } from '../oids.ts';

/**
 * Hashes with which requests name the issuer: SHA-1 nearly always, SHA-256 by newer clients, the others if a policy
 * requires them.
 */
export const ocspHashAlgorithms = ['sha1', 'sha256', 'sha384', 'sha512'] as const;
export type OcspHashAlgorithm = (typeof ocspHashAlgorithms)[number];

/** Parameters of the hash: both forms are in use (RFC 5754 §2), and clients compare octets. */
export type OcspHashParameters = 'null' | 'absent';

/** Hashes of an issuer's name and public key, by algorithm, as CertIDs contain them. */
export type IssuerHashes = Readonly<Record<OcspHashAlgorithm, { name: Uint8Array; key: Uint8Array }>>;

/** Certificate that a request asks about (RFC 6960 §4.1.1). */
export type OcspCertId = {
  /** DER, to be repeated octet by octet in an answer to this request. */
  raw: Uint8Array;
  /** Undefined for any other algorithm: it names no issuer of ours. */
  hash: OcspHashAlgorithm | undefined;
  /** `other`: parameters that no hash has; only `raw` repeats them. */
  parameters: OcspHashParameters | 'other';
  issuerNameHash: Uint8Array;
  issuerKeyHash: Uint8Array;
  /** Serial number in the form of `formatSerial`. */
  serial: string;
};

/**
 * Computes the hashes of an issuer. SHA-1 only names things here and protects nothing: a person who finds two keys with
 * one hash gains no answer.
 */
export function issuerHashes(issuerCertificate: ParsedCertificate): IssuerHashes {
  const { subject, publicKey } = issuerCertificate;
  const hashes = (algorithm: OcspHashAlgorithm) => ({
    name: digest(algorithm, subject.raw),
    key: digest(algorithm, publicKey.bits),
  });
  return {
    sha1: hashes('sha1'),
    sha256: hashes('sha256'),
    sha384: hashes('sha384'),
    sha512: hashes('sha512'),
  };
}

/** Tells whether a CertID names a certificate of this issuer. */
export function isIssuedBy(certId: OcspCertId, issuer: IssuerHashes): boolean {
  if (certId.hash === undefined) return false;
  const { name, key } = issuer[certId.hash];
  return Buffer.compare(name, certId.issuerNameHash) === 0 && Buffer.compare(key, certId.issuerKeyHash) === 0;
}

/** Encodes a CertID, DER. Throws a RangeError on a serial number not in the form of `formatSerial`. */
export function encodeCertId(input: {
  issuer: IssuerHashes;
  hash: OcspHashAlgorithm;
  serial: string;
  /** Default `null`, as nearly every client writes them. */
  parameters?: OcspHashParameters | undefined;
}): Uint8Array {
  return sequence(
    sequence(oid(oids[input.hash]), ...(input.parameters === 'absent' ? [] : [nullValue()])),
    octetString(input.issuer[input.hash].name),
    octetString(input.issuer[input.hash].key),
    serialInteger(input.serial),
  );
}

/** Reads a CertID. Throws `Malformed`; use inside `readSafely`. */
export function readCertId(node: DerNode): OcspCertId {
  const algorithm = member(expectTag(node, tags.sequence), 0, tags.sequence);
  const id = readOid(member(algorithm, 0, tags.objectIdentifier));
  if (node.children.length !== 4) throw new Malformed('not the four parts of a CertID');
  return {
    raw: node.raw,
    hash: ocspHashAlgorithms.find((name) => oids[name] === id),
    parameters: readParameters(algorithm),
    issuerNameHash: member(node, 1, tags.octetString).content,
    issuerKeyHash: member(node, 2, tags.octetString).content,
    serial: readSerial(member(node, 3, tags.integer)),
  };
}

function readParameters({ children: [, parameters, ...more] }: DerNode): OcspCertId['parameters'] {
  if (parameters === undefined) return 'absent';
  return Buffer.compare(parameters.raw, nullValue()) === 0 && more.length === 0 ? 'null' : 'other';
}

/**
 * Computes the name of the responder in an answer: SHA-1 of its key (RFC 6960 §4.2.1). Its subjectKeyIdentifier is
 * different: it is computed from SHA-256 and has the same length.
 */
export function responderKeyId(responderCertificate: ParsedCertificate): Uint8Array {
  return digest('sha1', responderCertificate.publicKey.bits);
}

function digest(algorithm: OcspHashAlgorithm, bytes: Uint8Array): Uint8Array {
  return createHash(algorithm).update(bytes).digest();
}
