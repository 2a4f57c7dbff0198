import { type SignatureAlgorithm, signatureAlgorithmIdentifier } from '../certificate/algorithms.ts';
import type { IssuerIdentity } from '../certificate/build.ts';
import * as extension from '../certificate/extensions.ts';
import { type Signer, signedParts, type ToBeSigned } from '../certificate/tbs.ts';
import { certificateTime, elementHead, encodeExplicit, integer, sequence, tags } from '../der/write.ts';
import { type CrlEntry, MAX_ENTRY_OCTETS, writeCrlEntry } from './entry.ts';

/**
 * Builds the to-be-signed revocation list, DER, version 2 (RFC 5280 §5.1.2), in consecutive parts.
 *
 * `entries` are read one by one: values, or results of `encodeCrlEntry`, single or many joined in one piece, which
 * becomes a part without a copy. They cost their octets and no objects; a value takes about a microsecond, an encoded
 * one a tenth of it.
 *
 * With `distributionPoint` the list covers only the certificates that name this address (a shard) and states so;
 * without, it covers every certificate of the issuer. With `baseNumber` it is a delta list: the changes since the
 * complete list of that number and the same scope.
 *
 * Throws a RangeError on an entry that cannot be encoded, and on an invalid list. Invalid are a delta that is not newer
 * than its base or names a delta, and `removeFromCRL` in a complete list.
 */
export function crlTbsParts(input: {
  issuer: IssuerIdentity;
  /** Must grow from list to list of one issuer and scope (RFC 5280 §5.2.3). */
  number: bigint;
  thisUpdate: Date;
  nextUpdate: Date;
  entries: Iterable<CrlEntry | Uint8Array>;
  distributionPoint?: string | undefined;
  /** Number of the complete list that this one extends. */
  baseNumber?: bigint | undefined;
  /** Address of the delta list of this complete list. */
  freshestUri?: string | undefined;
}): Uint8Array[] {
  const { issuer, distributionPoint, baseNumber, freshestUri } = input;
  if (baseNumber !== undefined && (baseNumber >= input.number || freshestUri !== undefined))
    throw new RangeError('not a delta list');
  const entries = entryChunks(input.entries, baseNumber !== undefined);
  const extensions = [
    extension.authorityKeyIdentifier(issuer.keyId),
    extension.crlNumber(input.number),
    ...(baseNumber === undefined ? [] : [extension.deltaCrlIndicator(baseNumber)]),
    ...(distributionPoint === undefined ? [] : [extension.issuingDistributionPoint(distributionPoint)]),
    ...(freshestUri === undefined ? [] : [extension.freshestCrl(freshestUri)]),
  ];
  const content = [
    integer(1),
    signatureAlgorithmIdentifier(issuer.signatureAlgorithm),
    issuer.name,
    certificateTime(input.thisUpdate),
    certificateTime(input.nextUpdate),
    // An empty list of entries is omitted (RFC 5280 §5.1.2.6).
    ...(entries.length === 0 ? [] : [elementHead(tags.sequence, countOctets(entries)), ...entries]),
    encodeExplicit(0, sequence(...extensions.map(extension.encodeExtension))),
  ];
  return [elementHead(tags.sequence, countOctets(content)), ...content];
}

/** Builds the to-be-signed revocation list in one piece. */
export function crlTbs(input: Parameters<typeof crlTbsParts>[0]): Uint8Array {
  return Buffer.concat(crlTbsParts(input));
}

function countOctets(pieces: readonly Uint8Array[]) {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

const CHUNK_OCTETS = 64 * 1024;

/** Joined entries of at least this size become a part without a copy. Smaller pieces would be too many parts. */
const LARGE_PIECE_OCTETS = CHUNK_OCTETS / 16;

/** Joins all entries in large pieces: without an object per entry, and without copying again while it grows. */
function entryChunks(entries: Iterable<CrlEntry | Uint8Array>, isDelta: boolean): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  let chunk = Buffer.alloc(0);
  let at = 0;
  const flush = () => {
    if (at > 0) chunks.push(chunk.subarray(0, at));
    chunk = chunk.subarray(at);
    at = 0;
  };
  for (const entry of entries) {
    const encoded = entry instanceof Uint8Array;
    if (encoded) checkEntries(entry);
    else if (entry.reason === 'removeFromCRL' && !isDelta)
      throw new RangeError('removeFromCRL in a complete list');
    if (encoded && entry.length > LARGE_PIECE_OCTETS) {
      flush();
      chunks.push(entry);
      continue;
    }
    if (at + (encoded ? entry.length : MAX_ENTRY_OCTETS) > chunk.length) {
      flush();
      chunk = Buffer.allocUnsafe(CHUNK_OCTETS);
    }
    if (encoded) chunk.set(entry, at);
    at = encoded ? at + entry.length : writeCrlEntry(chunk, at, entry);
  }
  flush();
  return chunks;
}

/**
 * Checks encoded entries: one damaged row would otherwise spoil a list with a valid signature that no program can read.
 */
function checkEntries(encoded: Uint8Array): void {
  let at = 0;
  while (at < encoded.length) {
    const length = encoded[at + 1] ?? 0;
    if (encoded[at] !== tags.sequence || length + 2 > MAX_ENTRY_OCTETS) break;
    at += length + 2;
  }
  if (at === 0 || at !== encoded.length) throw new RangeError('not entries made by encodeCrlEntry');
}

/**
 * Signs the list and returns it, DER, in consecutive parts, so that a list of 50 MB is not copied again. Errors of the
 * signer pass through.
 */
export async function signCrlParts(
  tbs: ToBeSigned,
  signatureAlgorithm: SignatureAlgorithm,
  sign: Signer,
): Promise<Uint8Array[]> {
  return signedParts({ tbs, signatureAlgorithm, signature: await sign(tbs) });
}

/** Signs the list and returns it in one piece. */
export async function signCrl(...signing: Parameters<typeof signCrlParts>): Promise<Uint8Array> {
  return Buffer.concat(await signCrlParts(...signing));
}
