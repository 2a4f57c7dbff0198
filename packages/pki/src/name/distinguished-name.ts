import { type DerNode, expectTag, Malformed, member, readOid } from '../der/read.ts';
import { readText } from '../der/text.ts';
import { encodeSet, oid, printableString, sequence, tags, utf8String } from '../der/write.ts';
import {
  attributeByOid,
  isPrintable,
  type NameAttribute,
  type NameAttributeKey,
  nameAttributes,
} from './attributes.ts';

/**
 * Encodes a DER `Name` in the given order, one attribute per relative distinguished name. Throws a RangeError on a
 * value that its type cannot represent: the profiles check values before.
 */
export function encodeName(attributes: readonly NameAttribute[]): Uint8Array {
  return sequence(
    ...attributes.map(({ type, value }) => {
      const { oid: id, encoding } = nameAttributes[type];
      if (encoding === 'printable' && !isPrintable(value)) {
        throw new RangeError(`${type} takes printable ASCII only`);
      }
      const text = encoding === 'printable' ? printableString(value) : utf8String(value);
      return encodeSet(sequence(oid(id), text));
    }),
  );
}

/** Attribute as encoded in a certificate. `type` is undefined for types we do not use. */
export type ParsedNameAttribute = {
  oid: string;
  type: NameAttributeKey | undefined;
  stringTag: number;
  value: string;
};

export type ParsedName = { raw: Uint8Array; attributes: ParsedNameAttribute[] };

/** Reads a `Name`. Throws `Malformed`; use inside `readSafely`. */
export function readName(node: DerNode): ParsedName {
  expectTag(node, tags.sequence);
  const attributes = node.children.flatMap((rdn) => {
    expectTag(rdn, tags.set);
    if (rdn.children.length === 0) throw new Malformed('empty relative distinguished name');
    return rdn.children.map(readAttribute);
  });
  return { raw: node.raw, attributes };
}

function readAttribute(pair: DerNode): ParsedNameAttribute {
  expectTag(pair, tags.sequence);
  const id = readOid(member(pair, 0, tags.objectIdentifier));
  const text = pair.children[1];
  if (text === undefined || pair.children.length !== 2) throw new Malformed('attribute without one value');
  return { oid: id, type: attributeByOid(id), stringTag: text.tag, value: readText(text) };
}

/** Formats as `C=EC, CN=…` in the order of the certificate, for people and logs of the operators' side. */
export function formatName(name: ParsedName): string {
  return name.attributes
    .map(
      ({ oid: id, type, value }) =>
        `${type ? nameAttributes[type].short : id}=${value.replaceAll(/[,+\\]/g, '\\$&')}`,
    )
    .join(', ');
}

/** Returns the first value of one attribute. */
export function nameValue(name: ParsedName, type: NameAttributeKey): string | undefined {
  return name.attributes.find((attribute) => attribute.type === type)?.value;
}
