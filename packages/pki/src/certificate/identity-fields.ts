import { type DerNode, expectTag, Malformed, member, readNode, readOid } from '../der/read.ts';
import { encodeExplicit, implicitConstructed, oid, utf8String } from '../der/write.ts';
import { oids } from '../oids.ts';
import {
  type IdentityField,
  type IdentityFieldSettings,
  identityFieldNumbers,
} from '../profile/identity-fields.ts';
import type { Extension } from './extensions.ts';
import type { ParsedCertificate } from './parse.ts';
import { findExtension } from './parse-extensions.ts';

type Arc = Pick<IdentityFieldSettings, 'arc'>;

function toOid({ name }: IdentityField, { arc }: Arc): string {
  return `${arc}.${identityFieldNumbers[name]}`;
}

/**
 * Builds one extension for each field. They are not critical: a program that knows none of them verifies the
 * certificate as before.
 */
export function identityExtensions(fields: readonly IdentityField[], at: Arc): Extension[] {
  return fields.map((field) => ({ oid: toOid(field, at), critical: false, value: utf8String(field.value) }));
}

/** Builds one `otherName` for each field (RFC 5280 §4.2.1.6), DER of the GeneralName. */
export function identityOtherNames(fields: readonly IdentityField[], at: Arc): Uint8Array[] {
  return fields.map((field) =>
    implicitConstructed(0, oid(toOid(field, at)), encodeExplicit(0, utf8String(field.value))),
  );
}

/** Field as encoded in a certificate. */
export type ParsedIdentityField = { oid: string; form: 'extensions' | 'otherName'; value: DerNode };

/** Reads every field below the arc in either form. Throws `Malformed`; use inside `readSafely`. */
export function readIdentityFields(certificate: ParsedCertificate, { arc }: Arc): ParsedIdentityField[] {
  const below = `${arc}.`;
  const extensions = certificate.extensions
    .filter((extension) => extension.oid.startsWith(below))
    .map((extension) => ({
      oid: extension.oid,
      form: 'extensions' as const,
      value: readNode(extension.value),
    }));
  const alternative = findExtension(certificate, oids.subjectAltName);
  if (alternative === undefined) return extensions;
  const otherNames = expectTag(readNode(alternative.value), 0x30)
    .children.filter(({ tag }) => tag === OTHER_NAME)
    .map((node) => ({ oid: otherNameType(node), form: 'otherName' as const, value: otherNameValue(node) }))
    .filter((field) => field.oid.startsWith(below));
  return [...extensions, ...otherNames];
}

export const OTHER_NAME = 0xa0;

/** Reads the type of a GeneralName with the tag `OTHER_NAME`. Throws `Malformed`. */
export function otherNameType(node: DerNode): string {
  return readOid(member(node, 0, 0x06));
}

function otherNameValue(node: DerNode): DerNode {
  const [value] = member(node, 1, 0xa0).children;
  if (value === undefined || node.children.length !== 2) throw new Malformed('otherName without one value');
  return value;
}
