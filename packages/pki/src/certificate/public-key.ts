import {
  type DerNode,
  expectTag,
  member,
  readBitString,
  readIntegerBytes,
  readNode,
  readOid,
} from '../der/read.ts';
import { tags } from '../der/write.ts';
import { oids } from '../oids.ts';

/** A SubjectPublicKeyInfo taken apart as far as the linter needs. */
export type ParsedPublicKey = {
  raw: Uint8Array;
  /** Octets of the key's BIT STRING, what key identifiers are computed over. */
  bits: Uint8Array;
  details:
    | { kind: 'rsa'; modulus: Uint8Array; modulusBits: number; exponent: bigint }
    | { kind: 'ec'; curveOid: string; pointBytes: number; uncompressed: boolean }
    | { kind: 'other'; oid: string };
};

/** Reads a SubjectPublicKeyInfo (RFC 3279 §2.3). Throws `Malformed`; use inside `readSafely`. */
export function readPublicKey(node: DerNode): ParsedPublicKey {
  const algorithm = member(expectTag(node, tags.sequence), 0, tags.sequence);
  const id = readOid(member(algorithm, 0, tags.objectIdentifier));
  const { bytes: bits } = readBitString(member(node, 1, tags.bitString));
  return { raw: node.raw, bits, details: detailsOf(id, algorithm, bits) };
}

function detailsOf(id: string, algorithm: DerNode, bits: Uint8Array): ParsedPublicKey['details'] {
  if (id === oids.rsaEncryption) return rsaDetails(bits);
  if (id === oids.ecPublicKey) {
    const curveOid = readOid(member(algorithm, 1, tags.objectIdentifier));
    return { kind: 'ec', curveOid, pointBytes: bits.length, uncompressed: bits[0] === 4 };
  }
  return { kind: 'other', oid: id };
}

function rsaDetails(bits: Uint8Array): ParsedPublicKey['details'] {
  const key = expectTag(readNode(bits), tags.sequence);
  const content = readIntegerBytes(member(key, 0, tags.integer));
  const modulus = content[0] === 0 ? content.subarray(1) : content;
  const modulusBits = modulus.length === 0 ? 0 : modulus.length * 8 - Math.clz32(modulus[0] ?? 0) + 24;
  const exponent = readIntegerBytes(member(key, 1, tags.integer));
  return {
    kind: 'rsa',
    modulus,
    modulusBits,
    exponent: BigInt(`0x${Buffer.from(exponent).toString('hex')}`),
  };
}
