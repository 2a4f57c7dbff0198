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
import type { ParsedCertificate, ParsedExtension } from './parse.ts';

/** The extension with this identifier, the first where it is repeated. */
export const findExtension = (certificate: ParsedCertificate, oid: string): ParsedExtension | undefined =>
  certificate.extensions.find((extension) => extension.oid === oid);

// The readers below take one extension's value and throw `Malformed`; use them inside `readSafely`.

export const readKeyUsage = ({ value }: ParsedExtension): number[] => readNamedBits(readNode(value));

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

export const readSubjectKeyIdentifier = ({ value }: ParsedExtension): Uint8Array =>
  expectTag(readNode(value), tags.octetString).content;

/** Key identifier of the issuer, if the extension carries one. */
export const readAuthorityKeyIdentifier = ({ value }: ParsedExtension): Uint8Array | undefined =>
  expectTag(readNode(value), tags.sequence).children.find(({ tag }) => tag === 0x80)?.content;

/** Method and URI of each access description; other kinds of location are left out. */
export function readAccessDescriptions({ value }: ParsedExtension): { method: string; uri: string }[] {
  return expectTag(readNode(value), tags.sequence).children.flatMap((node) => {
    const method = readOid(member(expectTag(node, tags.sequence), 0, tags.objectIdentifier));
    const location = node.children[1];
    return location?.tag === 0x86 ? [{ method, uri: readAscii(location.content) }] : [];
  });
}

/** URIs of all distribution points. */
export function readDistributionPoints({ value }: ParsedExtension): string[] {
  return expectTag(readNode(value), tags.sequence).children.flatMap((point) =>
    expectTag(point, tags.sequence)
      .children.filter(({ tag }) => tag === 0xa0)
      .flatMap(({ children }) => children.filter(({ tag }) => tag === 0xa0))
      .flatMap(({ children }) => children.filter(({ tag }) => tag === 0x86))
      .map(({ content }) => readAscii(content)),
  );
}

export const readPolicies = ({ value }: ParsedExtension): string[] =>
  nonEmpty(readNode(value)).map((policy) =>
    readOid(member(expectTag(policy, tags.sequence), 0, tags.objectIdentifier)),
  );

export const readPurposes = ({ value }: ParsedExtension): string[] => nonEmpty(readNode(value)).map(readOid);

/** Tag and octets of each general name. */
export const readAlternativeNames = ({ value }: ParsedExtension): { tag: number; content: Uint8Array }[] =>
  nonEmpty(readNode(value)).map(({ tag, content }) => ({ tag, content }));

function nonEmpty(node: DerNode): DerNode[] {
  if (expectTag(node, tags.sequence).children.length === 0) throw new Malformed('empty list');
  return node.children;
}
