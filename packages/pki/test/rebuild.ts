import { type Extension, encodeExtension } from '../src/certificate/extensions.ts';
import { readNode } from '../src/der/read.ts';
import { bitString, encodeExplicit, integer, sequence } from '../src/der/write.ts';
import { parsed } from './fixtures.ts';

/** Parts of a certificate, DER, any of which a test may replace. The signature is then no longer valid. */
export type CertificateParts = {
  version: Uint8Array;
  serial: Uint8Array;
  algorithm: Uint8Array;
  outerAlgorithm: Uint8Array;
  issuer: Uint8Array;
  validity: Uint8Array;
  subject: Uint8Array;
  spki: Uint8Array;
  /** Between the key and the extensions. */
  uniqueIdentifiers: Uint8Array;
  extensions: Extension[];
  signature: Uint8Array;
  /** Replaces what `extensions` would give. */
  rawExtensions: Uint8Array;
};

/** The certificate again with some parts replaced. */
export function rebuild(
  der: Uint8Array,
  change: Partial<CertificateParts> | ((extensions: Extension[]) => Extension[]),
): Uint8Array {
  const view = parsed(der);
  const tbs = readNode(view.tbs).children;
  const raw = (index: number) => tbs[index]?.raw ?? new Uint8Array();
  const extensions = view.extensions.map(({ oid, critical, value }) => ({ oid, critical, value }));
  const parts = typeof change === 'function' ? { extensions: change(extensions) } : change;
  return sequence(
    sequence(
      parts.version ?? encodeExplicit(0, integer(2)),
      parts.serial ?? raw(1),
      parts.algorithm ?? raw(2),
      parts.issuer ?? raw(3),
      parts.validity ?? raw(4),
      parts.subject ?? raw(5),
      parts.spki ?? raw(6),
      parts.uniqueIdentifiers ?? new Uint8Array(),
      parts.rawExtensions ??
        encodeExplicit(3, sequence(...(parts.extensions ?? extensions).map(encodeExtension))),
    ),
    parts.outerAlgorithm ?? view.signatureAlgorithm,
    parts.signature ?? bitString(view.signature.bytes),
  );
}

/** One extension changed, or dropped when `change` answers nothing. */
export const withExtension =
  (oid: string, change: (extension: Extension) => Extension | undefined) => (extensions: Extension[]) =>
    extensions.flatMap((extension) => {
      if (extension.oid !== oid) return [extension];
      const changed = change(extension);
      return changed === undefined ? [] : [changed];
    });
