import { type SignatureAlgorithm, signatureAlgorithmIdentifier } from '../certificate/algorithms.ts';
import type { IssuerIdentity } from '../certificate/build.ts';
import * as extension from '../certificate/extensions.ts';
import { type Signer, signedParts, type ToBeSigned } from '../certificate/tbs.ts';
import { certificateTime, elementHead, explicit, integer, sequence, tags } from '../der/write.ts';
import { type CrlEntry, MAX_ENTRY_OCTETS, writeCrlEntry } from './entry.ts';

/**
 * To-be-signed revocation list, DER, version 2 (RFC 5280 §5.1.2), in parts that follow each other. `entries` are taken one by one: values, or what
 * `encodeCrlEntry` made of them, singly or many joined in one piece, which becomes a part as it is and is not copied. They
 * cost their octets and no objects; the thread is taken for about a microsecond by a value, a tenth of it by an encoded one. With `distributionPoint` the list covers only the certificates that name this address (a shard) and says so; without,
 * it covers every certificate of the issuer. With `baseNumber` it is a delta list: what has changed since the complete list
 * of that number and the same scope. Throws a RangeError on an entry that cannot be written, and on a list that no program
 * may take: a delta that is not younger than its base, or names a delta, and `removeFromCRL` in a complete list.
 */
export function crlTbsParts(input: {
  issuer: IssuerIdentity;
  /** Must grow from list to list of one issuer and scope (RFC 5280 §5.2.3). */
  number: bigint;
  thisUpdate: Date;
  nextUpdate: Date;
  entries: Iterable<CrlEntry | Uint8Array>;
  distributionPoint?: string | undefined;
  /** Number of the complete list that this one adds to. */
  baseNumber?: bigint | undefined;
  /** Where the delta list of this complete list is. */
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
    // An empty list of entries is left out (RFC 5280 §5.1.2.6).
    ...(entries.length === 0 ? [] : [elementHead(tags.sequence, octetsOf(entries)), ...entries]),
    explicit(0, sequence(...extensions.map(extension.encodeExtension))),
  ];
  return [elementHead(tags.sequence, octetsOf(content)), ...content];
}

/** The same in one piece. */
export function crlTbs(input: Parameters<typeof crlTbsParts>[0]): Uint8Array {
  return Buffer.concat(crlTbsParts(input));
}

function octetsOf(pieces: readonly Uint8Array[]) {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

const CHUNK_OCTETS = 64 * 1024;

/** Joined entries of this size are used where they are. Smaller pieces would be too many to pass on. */
const LARGE_PIECE_OCTETS = CHUNK_OCTETS / 16;

/** All entries in a row, in large pieces: no object per entry, and nothing copied again while it grows. */
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

/** One damaged row would otherwise spoil a list that nobody can read, under a good signature. */
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
 * Signs the list and gives it, DER, in parts that follow each other: one of 50 MB is not copied once more. Whatever the
 * signer throws passes.
 */
export async function signCrlParts(
  tbs: ToBeSigned,
  signatureAlgorithm: SignatureAlgorithm,
  sign: Signer,
): Promise<Uint8Array[]> {
  return signedParts({ tbs, signatureAlgorithm, signature: await sign(tbs) });
}

/** The same in one piece. */
export async function signCrl(...signing: Parameters<typeof signCrlParts>): Promise<Uint8Array> {
  return Buffer.concat(await signCrlParts(...signing));
}
