import { type SignatureAlgorithm, signatureAlgorithmIdentifier } from '../certificate/algorithms.ts';
import type { IssuerIdentity } from '../certificate/build.ts';
import * as extension from '../certificate/extensions.ts';
import { assembleSigned, type Signer } from '../certificate/tbs.ts';
import { certificateTime, explicit, integer, sequence } from '../der/write.ts';
import { type CrlEntry, MAX_ENTRY_OCTETS, writeCrlEntry } from './entry.ts';

/**
 * To-be-signed revocation list, DER, version 2 (RFC 5280 §5.1.2). `entries` are taken one by one, as values or
 * already encoded by `encodeCrlEntry`; a million of them cost their octets and nothing else. With
 * `distributionPoint` the list covers only the certificates that name this address (a shard) and says so; without,
 * it covers every certificate of the issuer. Throws a RangeError on an entry that cannot be written.
 */
export function crlTbs(input: {
  issuer: IssuerIdentity;
  /** Must grow from list to list of one issuer and scope (RFC 5280 §5.2.3). */
  number: bigint;
  thisUpdate: Date;
  nextUpdate: Date;
  entries: Iterable<CrlEntry | Uint8Array>;
  distributionPoint?: string | undefined;
}): Uint8Array {
  const { issuer, distributionPoint } = input;
  const entries = entryChunks(input.entries);
  const extensions = [
    extension.authorityKeyIdentifier(issuer.keyId),
    extension.crlNumber(input.number),
    ...(distributionPoint === undefined ? [] : [extension.issuingDistributionPoint(distributionPoint)]),
  ];
  return sequence(
    integer(1),
    signatureAlgorithmIdentifier(issuer.signatureAlgorithm),
    issuer.name,
    certificateTime(input.thisUpdate),
    certificateTime(input.nextUpdate),
    // An empty list of entries is left out (RFC 5280 §5.1.2.6).
    ...(entries.length === 0 ? [] : [sequence(...entries)]),
    explicit(0, sequence(...extensions.map(extension.encodeExtension))),
  );
}

const CHUNK_OCTETS = 64 * 1024;

/** All entries in a row, in pieces that hold a thousand each: no object per entry, nothing copied while it grows. */
function entryChunks(entries: Iterable<CrlEntry | Uint8Array>): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  let chunk = Buffer.alloc(0);
  let at = 0;
  for (const entry of entries) {
    if (at + MAX_ENTRY_OCTETS > chunk.length) {
      if (at > 0) chunks.push(chunk.subarray(0, at));
      chunk = Buffer.allocUnsafe(CHUNK_OCTETS);
      at = 0;
    }
    at = entry instanceof Uint8Array ? copyEntry(chunk, at, entry) : writeCrlEntry(chunk, at, entry);
  }
  if (at > 0) chunks.push(chunk.subarray(0, at));
  return chunks;
}

function copyEntry(target: Uint8Array, offset: number, entry: Uint8Array): number {
  if (entry.length > MAX_ENTRY_OCTETS || entry[1] !== entry.length - 2) {
    throw new RangeError('not an entry of encodeCrlEntry');
  }
  target.set(entry, offset);
  return offset + entry.length;
}

/** The list out of its signed part, algorithm and signature, DER. */
export const assembleCrl = assembleSigned;

/** Signs and assembles. Whatever the signer throws passes. */
export async function signCrl(
  tbs: Uint8Array,
  signatureAlgorithm: SignatureAlgorithm,
  sign: Signer,
): Promise<Uint8Array> {
  return assembleCrl({ tbs, signatureAlgorithm, signature: await sign(tbs) });
}
