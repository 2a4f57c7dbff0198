import {
  type DerNode,
  expectTag,
  Malformed,
  member,
  readBitString,
  readIntegerBytes,
  readNode,
  readOid,
} from '../der/read.ts';
import { tags } from '../der/write.ts';
import { oids } from '../oids.ts';

/** Parsed SubjectPublicKeyInfo, as far as the linter needs it. */
export type ParsedPublicKey = {
  raw: Uint8Array;
  /** Octets of the key's BIT STRING, from which key identifiers are computed. */
  bits: Uint8Array;
  /** DER of the algorithm's parameters, of any kind; undefined if absent. */
  parameters: Uint8Array | undefined;
  details:
    | { kind: 'rsa'; modulus: Uint8Array; modulusBits: number; exponent: bigint }
    /** `curveOid` is undefined if the parameters do not name a curve. The point is in `bits`. */
    | { kind: 'ec'; curveOid: string | undefined }
    | { kind: 'other'; oid: string };
};

/** Reads a SubjectPublicKeyInfo (RFC 3279 §2.3). Throws `Malformed`; use inside `readSafely`. */
export function readPublicKey(node: DerNode): ParsedPublicKey {
  const algorithm = member(expectTag(node, tags.sequence), 0, tags.sequence);
  const id = readOid(member(algorithm, 0, tags.objectIdentifier));
  const { bytes: bits, unusedBits } = readBitString(member(node, 1, tags.bitString));
  if (unusedBits > 0 || node.children.length > 2 || algorithm.children.length > 2) {
    throw new Malformed('public key with parts that no such key has');
  }
  const parameters = algorithm.children[1];
  return { raw: node.raw, bits, parameters: parameters?.raw, details: readDetails(id, parameters, bits) };
}

function readDetails(
  id: string,
  parameters: DerNode | undefined,
  bits: Uint8Array,
): ParsedPublicKey['details'] {
  if (id === oids.rsaEncryption) return rsaDetails(bits);
  if (id === oids.ecPublicKey) {
    const isNamed = parameters?.tag === tags.objectIdentifier;
    return { kind: 'ec', curveOid: isNamed ? readOid(parameters) : undefined };
  }
  return { kind: 'other', oid: id };
}

function rsaDetails(bits: Uint8Array): ParsedPublicKey['details'] {
  const key = expectTag(readNode(bits), tags.sequence);
  if (key.children.length > 2) throw new Malformed('RSA key of more than two numbers');
  const content = readIntegerBytes(member(key, 0, tags.integer));
  const exponent = readIntegerBytes(member(key, 1, tags.integer));
  if ((content[0] ?? 0) >= 0x80 || (exponent[0] ?? 0) >= 0x80) throw new Malformed('RSA key below zero');
  const modulus = content[0] === 0 ? content.subarray(1) : content;
  const modulusBits = modulus.length === 0 ? 0 : modulus.length * 8 - Math.clz32(modulus[0] ?? 0) + 24;
  return {
    kind: 'rsa',
    modulus,
    modulusBits,
    exponent: BigInt(`0x${Buffer.from(exponent).toString('hex')}`),
  };
}
