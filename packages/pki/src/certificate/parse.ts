import {
  type DerNode,
  expectTag,
  Malformed,
  member,
  readBitString,
  readIntegerBytes,
  readNode,
  readOid,
  readSafely,
  readSmallInteger,
} from '../der/read.ts';
import { readTime } from '../der/text.ts';
import { tags } from '../der/write.ts';
import { type ParsedName, readName } from '../name/distinguished-name.ts';
import type { Result } from '../result.ts';
import { type ParsedExtension, readExtensions } from './parse-extensions.ts';
import { type ParsedPublicKey, readPublicKey } from './public-key.ts';

/** Parsed certificate (RFC 5280 §4.1). Byte arrays are views of `raw`. */
export type ParsedCertificate = {
  raw: Uint8Array;
  tbs: Uint8Array;
  /** 1, 2 or 3. */
  version: number;
  /** Content octets of the serial number, two's complement. */
  serial: Uint8Array;
  /** AlgorithmIdentifier inside the signed part; the next field is the one next to the signature. */
  tbsSignatureAlgorithm: Uint8Array;
  signatureAlgorithm: Uint8Array;
  signatureAlgorithmOid: string;
  issuer: ParsedName;
  notBefore: ParsedTime;
  notAfter: ParsedTime;
  subject: ParsedName;
  publicKey: ParsedPublicKey;
  hasUniqueIdentifiers: boolean;
  extensions: ParsedExtension[];
  signature: { bytes: Uint8Array; unusedBits: number };
};

export type ParsedTime = { date: Date; tag: number };

export type CertificateFault = { code: 'MALFORMED'; reason: string };

/** Larger files are not certificates of people or authorities. */
const MAX_CERTIFICATE_BYTES = 64 * 1024;

/** Parses a DER certificate. Never throws on any bytes. The signature is not verified here. */
export function parseCertificate(der: Uint8Array): Result<ParsedCertificate, CertificateFault> {
  return readSafely(() => {
    if (der.length > MAX_CERTIFICATE_BYTES) throw new Malformed('too large for a certificate');
    return certificateFrom(expectTag(readNode(der), tags.sequence));
  });
}

function certificateFrom(node: DerNode): ParsedCertificate {
  if (node.children.length !== 3) throw new Malformed('not the three parts of a certificate');
  const tbs = member(node, 0, tags.sequence);
  const algorithm = member(node, 1, tags.sequence);
  const rest = [...tbs.children];
  const version = rest[0]?.tag === 0xa0 ? versionFrom(rest.shift() as DerNode) : 1;
  const [serial, tbsAlgorithm, issuer, validity, subject, spki, ...trailing] = rest;
  if (!serial || !tbsAlgorithm || !issuer || !validity || !subject || !spki) {
    throw new Malformed('the signed part is incomplete');
  }
  return {
    raw: node.raw,
    tbs: tbs.raw,
    version,
    serial: readIntegerBytes(serial),
    tbsSignatureAlgorithm: expectTag(tbsAlgorithm, tags.sequence).raw,
    signatureAlgorithm: algorithm.raw,
    signatureAlgorithmOid: readOid(member(algorithm, 0, tags.objectIdentifier)),
    issuer: readName(issuer),
    notBefore: timeFrom(validity, 0),
    notAfter: timeFrom(validity, 1),
    subject: readName(subject),
    publicKey: readPublicKey(spki),
    ...trailingFields(trailing),
    signature: readBitString(member(node, 2, tags.bitString)),
  };
}

function versionFrom(tagged: DerNode): number {
  return readSmallInteger(member(tagged, 0, tags.integer)) + 1;
}

function timeFrom(validity: DerNode, index: number): ParsedTime {
  const node = expectTag(validity, tags.sequence).children[index];
  if (node === undefined) throw new Malformed('validity without two times');
  return { date: readTime(node), tag: node.tag };
}

function trailingFields(nodes: DerNode[]) {
  let hasUniqueIdentifiers = false;
  let extensions: ParsedExtension[] = [];
  for (const node of nodes) {
    if (node.tag === 0x81 || node.tag === 0x82) hasUniqueIdentifiers = true;
    else extensions = readExtensions(expectTag(node, 0xa3));
  }
  return { hasUniqueIdentifiers, extensions };
}

/** Tells whether two to-be-signed certificates are equal, byte for byte. */
export function sameTbs(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
