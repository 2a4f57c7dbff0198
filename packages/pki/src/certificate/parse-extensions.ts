import {
  type DerNode,
  expectTag,
  Malformed,
  member,
  readBoolean,
  readNamedBits,
  readNode,
  readOid,
  readSmallInteger,
} from '../der/read.ts';
import { readAscii } from '../der/text.ts';
import { tags } from '../der/write.ts';

export type ParsedExtension = {
  oid: string;
  critical: boolean;
  /** True if `critical` was encoded as FALSE, which DER omits. */
  defaultWritten: boolean;
  value: Uint8Array;
};

/** Finds the extension with this identifier, the first if it is repeated. */
export function findExtension(
  { extensions }: { extensions: readonly ParsedExtension[] },
  oid: string,
): ParsedExtension | undefined {
  return extensions.find((extension) => extension.oid === oid);
}

// The readers below throw `Malformed`; use them inside `readSafely`.

/** Reads the list of extensions in an explicit tag, as in certificates, revocation lists and OCSP (RFC 5280 §4.1). */
export function readExtensions(tagged: DerNode): ParsedExtension[] {
  return member(tagged, 0, tags.sequence).children.map(extensionFrom);
}

export function extensionFrom(node: DerNode): ParsedExtension {
  const oid = readOid(member(expectTag(node, tags.sequence), 0, tags.objectIdentifier));
  if (node.children.length > 3) throw new Malformed('extension of more than three members');
  const written = node.children.length === 3;
  const critical = written && readBoolean(member(node, 1, tags.boolean));
  const value = member(node, written ? 2 : 1, tags.octetString).content;
  return { oid, critical, defaultWritten: written && !critical, value };
}

export function readKeyUsage({ value }: ParsedExtension): number[] {
  return readNamedBits(readNode(value));
}

export function readBasicConstraints({ value }: ParsedExtension): {
  authority: boolean;
  pathLength: number | undefined;
} {
  const node = expectTag(readNode(value), tags.sequence);
  const [first, second] = node.children;
  const authority = first?.tag === tags.boolean && readBoolean(first);
  const length = first?.tag === tags.boolean ? second : first;
  return { authority, pathLength: length && readSmallInteger(length) };
}

export function readSubjectKeyIdentifier({ value }: ParsedExtension): Uint8Array {
  return expectTag(readNode(value), tags.octetString).content;
}

/** Reads the key identifier of the issuer, if the extension has one. */
export function readAuthorityKeyIdentifier({ value }: ParsedExtension): Uint8Array | undefined {
  return expectTag(readNode(value), tags.sequence).children.find(({ tag }) => tag === 0x80)?.content;
}

/** Reads method and URI of each access description; other kinds of location are skipped. */
export function readAccessDescriptions({ value }: ParsedExtension): { method: string; uri: string }[] {
  return expectTag(readNode(value), tags.sequence).children.flatMap((node) => {
    const method = readOid(member(expectTag(node, tags.sequence), 0, tags.objectIdentifier));
    const location = node.children[1];
    return location?.tag === 0x86 ? [{ method, uri: readAscii(location.content) }] : [];
  });
}

/** Reads the URIs of all distribution points; freshestCRL has the same form. */
export function readDistributionPoints({ value }: ParsedExtension): string[] {
  return expectTag(readNode(value), tags.sequence).children.flatMap(pointUris);
}

/** Reads the first URI of the distribution point that a revocation list is limited to (RFC 5280 §5.2.5). */
export function readIssuingDistributionPoint({ value }: ParsedExtension): string | undefined {
  return pointUris(readNode(value))[0];
}

/** Reads the URIs of the full name in the first member of either extension. */
function pointUris(point: DerNode): string[] {
  return expectTag(point, tags.sequence)
    .children.filter(({ tag }) => tag === 0xa0)
    .flatMap(({ children }) => children.filter(({ tag }) => tag === 0xa0))
    .flatMap(({ children }) => children.filter(({ tag }) => tag === 0x86))
    .map(({ content }) => readAscii(content));
}

export function readPolicies({ value }: ParsedExtension): string[] {
  return nonEmpty(readNode(value)).map((policy) =>
    readOid(member(expectTag(policy, tags.sequence), 0, tags.objectIdentifier)),
  );
}

export function readPurposes({ value }: ParsedExtension): string[] {
  return nonEmpty(readNode(value)).map(readOid);
}

/** Reads tag and octets of each general name. */
export function readAlternativeNames({ value }: ParsedExtension): { tag: number; content: Uint8Array }[] {
  return nonEmpty(readNode(value)).map(({ tag, content }) => ({ tag, content }));
}

function nonEmpty(node: DerNode): DerNode[] {
  if (expectTag(node, tags.sequence).children.length === 0) throw new Malformed('empty list');
  return node.children;
}
