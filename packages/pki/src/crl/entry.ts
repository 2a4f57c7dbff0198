import { encodeExtension } from '../certificate/extensions.ts';
import { extensionFrom } from '../certificate/parse-extensions.ts';
import { readSerial, serialInteger } from '../certificate/serial.ts';
import { type DerNode, expectTag, Malformed, readNode } from '../der/read.ts';
import { readTime } from '../der/text.ts';
import { encodeEnumerated, MAX_TIME_OCTETS, sequence, tags, writeCertificateTime } from '../der/write.ts';
import { oids } from '../oids.ts';
import { type EntryReason, entryReasons, readEntryReason } from './revocation-reasons.ts';

/**
 * One revoked certificate; in a delta list also one that is valid again since `revokedAt` (`removeFromCRL`). `serial`
 * is in the form of `formatSerial`; `revokedAt` is precise to the second.
 */
export type CrlEntry = { serial: string; revokedAt: Date; reason: EntryReason };

/** Longest entry that this package writes: head, serial number, GeneralizedTime and reason. */
export const MAX_ENTRY_OCTETS = 2 + 23 + MAX_TIME_OCTETS + 14;

/** crlEntryExtensions of each reason; none for `unspecified`, which RFC 5280 §5.3.1 omits. */
const reasonExtensions = Object.fromEntries(
  Object.entries(entryReasons).map(([name, code]) => [
    name,
    code === entryReasons.unspecified
      ? new Uint8Array()
      : sequence(encodeExtension({ oid: oids.crlReason, critical: false, value: encodeEnumerated(code) })),
  ]),
) as Record<EntryReason, Uint8Array>;

/** Encodes one entry, DER, for storage in a row: a list of millions is then only joined. */
export function encodeCrlEntry(entry: CrlEntry): Uint8Array {
  const out = Buffer.allocUnsafe(MAX_ENTRY_OCTETS);
  return Uint8Array.from(out.subarray(0, writeCrlEntry(out, 0, entry)));
}

/** Encodes many consecutive entries, DER: a page of a list of millions becomes octets, and its rows can be freed. */
export function encodeCrlEntries(entries: readonly CrlEntry[]): Uint8Array {
  const out = Buffer.allocUnsafe(MAX_ENTRY_OCTETS * entries.length);
  let at = 0;
  for (const entry of entries) at = writeCrlEntry(out, at, entry);
  // A copy, so that the surplus memory is freed.
  return Uint8Array.from(out.subarray(0, at));
}

const PIECE_OCTETS = 64 * 1024;

/** Creates a writer that stores entries as octets, in pieces without gaps, and nothing else of them. */
export function crlEntryWriter(): {
  add(entry: CrlEntry): void;
  /** Returns all entries so far, consecutively. */
  pieces(): Uint8Array[];
} {
  const full: Uint8Array[] = [];
  let piece = Buffer.alloc(0);
  let at = 0;
  return {
    add(entry) {
      if (at + MAX_ENTRY_OCTETS > piece.length) {
        if (at > 0) full.push(piece.subarray(0, at));
        piece = Buffer.allocUnsafeSlow(PIECE_OCTETS);
        at = 0;
      }
      at = writeCrlEntry(piece, at, entry);
    },
    pieces: () => (at > 0 ? [...full, piece.subarray(0, at)] : full),
  };
}

/** Writes an entry at `offset`, where `MAX_ENTRY_OCTETS` must be free, and returns its end. */
export function writeCrlEntry(target: Uint8Array, offset: number, entry: CrlEntry): number {
  const serial = serialInteger(entry.serial);
  const reason = reasonExtensions[entry.reason];
  target.set(serial, offset + 2);
  const at = writeCertificateTime(target, offset + 2 + serial.length, entry.revokedAt);
  target.set(reason, at);
  const end = at + reason.length;
  target[offset] = tags.sequence;
  // Never above 127, so it is one octet.
  target[offset + 1] = end - offset - 2;
  return end;
}

/** Reads one entry that fills `bytes`. Throws `Malformed`, also on `removeFromCRL` in a complete list. */
export function readCrlEntry(bytes: Uint8Array, { isDelta }: { isDelta: boolean }): CrlEntry {
  const [serial, revokedAt, extensions, more] = expectTag(readNode(bytes), tags.sequence).children;
  if (!serial || !revokedAt || more) throw new Malformed('not the parts of an entry');
  const reason = extensions === undefined ? 'unspecified' : reasonFrom(extensions);
  if (reason === 'removeFromCRL' && !isDelta) throw new Malformed('removeFromCRL in a complete list');
  return { serial: readSerial(serial), revokedAt: readTime(revokedAt), reason };
}

function reasonFrom(node: DerNode): EntryReason {
  let found: EntryReason = 'unspecified';
  for (const { oid, critical, value } of expectTag(node, tags.sequence).children.map(extensionFrom)) {
    if (oid === oids.crlReason) found = readEntryReason(readNode(value));
    // For example certificateIssuer: a reader that ignored it would consider the wrong certificate revoked (RFC 5280
    // §5.3).
    else if (critical) throw new Malformed(`critical entry extension ${oid} is not used here`);
  }
  return found;
}
