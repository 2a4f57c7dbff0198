import { createPublicKey, verify } from 'node:crypto';
import { type KeyAlgorithm, keyAlgorithms, signatureAlgorithmIdentifier } from '../certificate/algorithms.ts';
import { type ParsedPublicKey, readPublicKey } from '../certificate/public-key.ts';
import {
  expectTag,
  Malformed,
  member,
  readBitString,
  readNode,
  readSafely,
  readSmallInteger,
} from '../der/read.ts';
import { tags } from '../der/write.ts';
import { type ParsedName, readName } from '../name/distinguished-name.ts';
import { oids } from '../oids.ts';
import type { Result } from '../result.ts';

/** Parsed certification request (RFC 2986 §4). Byte arrays are views of `raw`. */
export type ParsedCertificationRequest = {
  raw: Uint8Array;
  tbs: Uint8Array;
  subject: ParsedName;
  publicKey: ParsedPublicKey;
  /** DER AlgorithmIdentifier next to the signature. */
  signatureAlgorithm: Uint8Array;
  signature: { bytes: Uint8Array; unusedBits: number };
};

export type CertificationRequestFault = { code: 'MALFORMED'; reason: string };

/** Largest request; one for an RSA key of 16,384 bits has 5 KiB. */
export const MAX_CERTIFICATION_REQUEST_BYTES = 16 * 1024;

/** Parses a DER request without attributes. Never throws on any bytes. The signature is not verified here. */
export function parseCertificationRequest(
  der: Uint8Array,
): Result<ParsedCertificationRequest, CertificationRequestFault> {
  return readSafely(() => {
    if (der.length > MAX_CERTIFICATION_REQUEST_BYTES) throw new Malformed('too large for a request');
    const node = expectTag(readNode(der), tags.sequence);
    if (node.children.length !== 3) throw new Malformed('not the three parts of a request');
    const tbs = member(node, 0, tags.sequence);
    if (tbs.children.length !== 4) throw new Malformed('the signed part is not of four parts');
    if (readSmallInteger(member(tbs, 0, tags.integer)) !== 0) throw new Malformed('version other than 1');
    // The profile determines the content of a certificate: a request for extensions is sent to the wrong authority.
    if (member(tbs, 3, 0xa0).children.length > 0) throw new Malformed('a request with attributes');
    return {
      raw: node.raw,
      tbs: tbs.raw,
      subject: readName(member(tbs, 1, tags.sequence)),
      publicKey: readPublicKey(member(tbs, 2, tags.sequence)),
      signatureAlgorithm: member(node, 1, tags.sequence).raw,
      signature: readBitString(member(node, 2, tags.bitString)),
    };
  });
}

/** Finds the key's algorithm among those that authorities may have; undefined if it is none of them. */
export function detectKeyAlgorithm({ details }: ParsedPublicKey): KeyAlgorithm | undefined {
  const names = Object.keys(keyAlgorithms) as KeyAlgorithm[];
  return names.find((name) => {
    const wanted = keyAlgorithms[name];
    return wanted.kind === 'rsa'
      ? details.kind === 'rsa' && details.modulusBits === wanted.modulusBits && details.exponent === 65_537n
      : details.kind === 'ec' && details.curveOid === oids.prime256v1;
  });
}

/**
 * Tells whether the request is signed with the key that it contains, by that key's own algorithm (RFC 2986 §3, proof of
 * possession). Also false for keys that authorities may not have. Never throws on a parsed request.
 */
export function provesPossession(request: ParsedCertificationRequest): boolean {
  const algorithm = detectKeyAlgorithm(request.publicKey);
  if (algorithm === undefined || request.signature.unusedBits > 0) return false;
  const named = signatureAlgorithmIdentifier(keyAlgorithms[algorithm].signature);
  if (Buffer.compare(named, request.signatureAlgorithm) !== 0) return false;
  try {
    const spki = Buffer.from(request.publicKey.raw);
    const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
    return verify('sha256', request.tbs, key, request.signature.bytes);
  } catch {
    // The key is invalid: a point off the curve, an even modulus.
    return false;
  }
}
