import type { ParsedExtension } from '../certificate/parse-extensions.ts';
import {
  findExtension,
  readAuthorityKeyIdentifier,
  readDistributionPoints,
  readExtensions,
  readIssuingDistributionPoint,
} from '../certificate/parse-extensions.ts';
import { serialInteger } from '../certificate/serial.ts';
import {
  type DerNode,
  expectTag,
  headerAt,
  Malformed,
  member,
  readBitString,
  readIntegerBytes,
  readNode,
  readOid,
  readSafely,
  readSmallInteger,
} from '../der/read.ts';
import { readTime } from '../der/text.ts';
import { tags } from '../der/write.ts';
import { type ParsedName, readName } from '../name/distinguished-name.ts';
import { oids } from '../oids.ts';
import type { Result } from '../result.ts';
import { type CrlEntry, readCrlEntry } from './entry.ts';

/** Parsed revocation list (RFC 5280 §5.1). Byte arrays are views of `raw`; entries are read on demand. */
export type ParsedCrl = {
  raw: Uint8Array;
  tbs: Uint8Array;
  tbsSignatureAlgorithm: Uint8Array;
  signatureAlgorithm: Uint8Array;
  signatureAlgorithmOid: string;
  issuer: ParsedName;
  thisUpdate: Date;
  nextUpdate: Date | undefined;
  number: bigint | undefined;
  authorityKeyId: Uint8Array | undefined;
  /** Address of the certificates that it covers; undefined if it covers all of the issuer's. */
  distributionPoint: string | undefined;
  /** Number of the complete list that a delta list extends. Its entries alone say nothing about other certificates. */
  baseNumber: bigint | undefined;
  /** Addresses of its delta list. */
  freshestUris: string[];
  extensions: ParsedExtension[];
  entryCount: number;
  /** Iterates over all entries in the order of the list. */
  entries: () => Iterable<CrlEntry>;
  /**
   * Finds the entry of a serial number in the form of `formatSerial`. It scans the list: a few ms for 100,000 entries.
   */
  find: (serial: string) => CrlEntry | undefined;
  signature: { bytes: Uint8Array; unusedBits: number };
};

export type CrlFault = { code: 'MALFORMED'; reason: string };

/** Enough for more than two million entries; a longer list should have been sharded. */
const MAX_CRL_BYTES = 128 * 1024 * 1024;

/** Parses a DER revocation list, every entry included. Never throws on any bytes. The signature is not verified. */
export function parseCrl(der: Uint8Array): Result<ParsedCrl, CrlFault> {
  return readSafely(() => {
    if (der.length > MAX_CRL_BYTES) throw new Malformed('too large for a revocation list');
    return crlFrom(der);
  });
}

type Span = { tag: number; offset: number; start: number; end: number };

/**
 * Lists the members of one constructed element without reading them: the list of entries must not become a tree of a
 * million nodes.
 */
function listSpans(bytes: Uint8Array, parent: { start: number; end: number }, most: number): Span[] {
  const spans: Span[] = [];
  for (let offset = parent.start; offset < parent.end; ) {
    const header = headerAt(bytes, offset);
    if (header.end > parent.end) throw new Malformed('a member reaches past its parent');
    if (spans.push({ ...header, offset }) > most) throw new Malformed('more members than it can have');
    offset = header.end;
  }
  return spans;
}

function crlFrom(der: Uint8Array): ParsedCrl {
  const whole = headerAt(der, 0);
  if (whole.tag !== tags.sequence || whole.end !== der.length) throw new Malformed('not one whole list');
  const [tbs, algorithm, signature, more] = listSpans(der, whole, 3);
  if (!tbs || tbs.tag !== tags.sequence || !algorithm || !signature || more) {
    throw new Malformed('not the three parts of a revocation list');
  }
  const nodeOf = (span: Span) => readNode(der.subarray(span.offset, span.end));
  const outer = expectTag(nodeOf(algorithm), tags.sequence);
  return {
    raw: der,
    tbs: der.subarray(tbs.offset, tbs.end),
    signatureAlgorithm: outer.raw,
    signatureAlgorithmOid: readOid(member(outer, 0, tags.objectIdentifier)),
    ...signedPart(der, listSpans(der, tbs, 7)),
    signature: readBitString(nodeOf(signature)),
  };
}

function signedPart(der: Uint8Array, spans: Span[]) {
  const nodeOf = (span: Span) => readNode(der.subarray(span.offset, span.end));
  const rest = [...spans];
  const take = (...wanted: number[]): Span | undefined =>
    rest[0] && wanted.includes(rest[0].tag) ? rest.shift() : undefined;
  const version = take(tags.integer);
  const algorithm = take(tags.sequence);
  const issuer = take(tags.sequence);
  const thisUpdate = take(tags.utcTime, tags.generalizedTime);
  const nextUpdate = take(tags.utcTime, tags.generalizedTime);
  const entries = take(tags.sequence);
  const extensions = take(0xa0);
  if (!algorithm || !issuer || !thisUpdate || rest.length > 0)
    throw new Malformed('the signed part is incomplete');
  if (version && readSmallInteger(nodeOf(version)) !== 1) throw new Malformed('version other than 2');
  const known = knownExtensions(extensions ? readExtensions(nodeOf(extensions)) : []);
  return {
    tbsSignatureAlgorithm: nodeOf(algorithm).raw,
    issuer: readName(nodeOf(issuer)),
    thisUpdate: readTime(nodeOf(thisUpdate)),
    nextUpdate: nextUpdate && readTime(nodeOf(nextUpdate)),
    ...known,
    ...entryReaders(der, entries, known.baseNumber !== undefined),
  };
}

/**
 * Parses the scope of a revocation list from its extensions alone: their element of the signed part (RFC 5280 §5.1).
 */
export function parseCrlScope(
  extensions: Uint8Array,
): Result<Pick<ParsedCrl, 'number' | 'distributionPoint' | 'baseNumber'>, CrlFault> {
  return readSafely(() => knownExtensions(readExtensions(readNode(extensions))));
}

const knownOids: ReadonlySet<string> = new Set([
  oids.authorityKeyIdentifier,
  oids.crlNumber,
  oids.deltaCrlIndicator,
  oids.issuingDistributionPoint,
  oids.freshestCrl,
]);

function knownExtensions(extensions: ParsedExtension[]) {
  checkExtensions(extensions);
  const find = (oid: string) => findExtension({ extensions }, oid);
  const keyId = find(oids.authorityKeyIdentifier);
  const point = find(oids.issuingDistributionPoint);
  const freshest = find(oids.freshestCrl);
  const number = readCrlNumber(find(oids.crlNumber));
  const indicator = find(oids.deltaCrlIndicator);
  const baseNumber = readCrlNumber(indicator);
  if (baseNumber !== undefined) {
    if (!indicator?.critical) throw new Malformed('a delta list whose indicator is not critical');
    if (number === undefined || number <= baseNumber) throw new Malformed('a delta list older than its base');
    if (freshest) throw new Malformed('a delta list that names a delta list');
  }
  return {
    extensions,
    number,
    authorityKeyId: keyId && readAuthorityKeyIdentifier(keyId),
    distributionPoint: point && readIssuingDistributionPoint(point),
    baseNumber,
    freshestUris: freshest ? readDistributionPoints(freshest) : [],
  };
}

/**
 * Checks the extensions: none may be repeated, and a reader must reject a list with an unknown critical one (RFC 5280
 * §4.2 and §5.2).
 */
function checkExtensions(extensions: ParsedExtension[]): void {
  if (new Set(extensions.map(({ oid }) => oid)).size < extensions.length)
    throw new Malformed('an extension that stands twice');
  const unknown = extensions.find(({ oid, critical }) => critical && !knownOids.has(oid));
  if (unknown) throw new Malformed(`critical extension ${unknown.oid} is not used here`);
}

function readCrlNumber(extension: ParsedExtension | undefined): bigint | undefined {
  return extension && numberFrom(readNode(extension.value));
}

/** Reads a CRL number: never negative, at most 20 octets (RFC 5280 §5.2.3). */
function numberFrom(node: DerNode): bigint {
  const octets = readIntegerBytes(node);
  if ((octets[0] ?? 0) >= 0x80 || octets.length > 20) throw new Malformed('CRL number out of range');
  return BigInt(`0x${Buffer.from(octets).toString('hex')}`);
}

/** Reads every entry once, so that later reads cannot fail, and stores only their number. */
function entryReaders(der: Uint8Array, list: Span | undefined, isDelta: boolean) {
  function* spans(): Iterable<Uint8Array> {
    for (let offset = list?.start ?? 0; offset < (list?.end ?? 0); ) {
      const { end } = headerAt(der, offset);
      if (end > (list?.end ?? 0)) throw new Malformed('an entry reaches past the list');
      yield der.subarray(offset, end);
      offset = end;
    }
  }
  function* entries(): Iterable<CrlEntry> {
    for (const span of spans()) yield readCrlEntry(span, { isDelta });
  }
  let entryCount = 0;
  for (const _ of entries()) entryCount++;
  const find = (serial: string): CrlEntry | undefined => {
    const wanted = serialInteger(serial);
    for (const span of spans()) {
      const at = headerAt(span, 0).start;
      if (Buffer.compare(span.subarray(at, at + wanted.length), wanted) === 0)
        return readCrlEntry(span, { isDelta });
    }
    return undefined;
  };
  return { entryCount, entries, find };
}
