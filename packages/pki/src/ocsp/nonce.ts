import { type Extension, encodeExtension } from '../certificate/extensions.ts';
import type { ParsedExtension } from '../certificate/parse-extensions.ts';
import { findExtension } from '../certificate/parse-extensions.ts';
import { expectTag, Malformed, readNode } from '../der/read.ts';
import { octetString, sequence, tags } from '../der/write.ts';
import { oids } from '../oids.ts';

/** Limit of RFC 9654 §2.1; RFC 8954 allowed 32. */
const MAX_NONCE_OCTETS = 128;

/** Encodes a list of extensions with only the nonce, DER. Throws a RangeError on a length that the RFC forbids. */
export function nonceExtensions(nonce: Uint8Array): Uint8Array {
  if (nonce.length < 1 || nonce.length > MAX_NONCE_OCTETS)
    throw new RangeError('a nonce has 1 to 128 octets');
  const extension: Extension = { oid: oids.ocspNonce, critical: false, value: octetString(nonce) };
  return sequence(encodeExtension(extension));
}

/** Reads the nonce among these extensions. Throws `Malformed`: RFC 9654 §2.1 requires the answer malformedRequest. */
export function readNonce(extensions: readonly ParsedExtension[]): Uint8Array | undefined {
  const found = findExtension({ extensions }, oids.ocspNonce);
  if (found === undefined) return undefined;
  const nonce = expectTag(readNode(found.value), tags.octetString).content;
  if (nonce.length < 1 || nonce.length > MAX_NONCE_OCTETS) throw new Malformed('nonce of a forbidden length');
  return nonce;
}
