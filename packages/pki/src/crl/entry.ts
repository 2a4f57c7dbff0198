import { encodeExtension } from '../certificate/extensions.ts';
import { extensionFrom } from '../certificate/parse-extensions.ts';
import { readSerial, serialInteger } from '../certificate/serial.ts';
import { type DerNode, expectTag, Malformed, readNode } from '../der/read.ts';
import { readTime } from '../der/text.ts';
import { enumerated, MAX_TIME_OCTETS, sequence, tags, writeCertificateTime } from '../der/write.ts';
import { oids } from '../oids.ts';
import { type EntryReason, entryReasons, readEntryReason } from './revocation-reasons.ts';

/**
 * One revoked certificate; in a delta list also one that is good again (`removeFromCRL`), since `revokedAt`. `serial` in the
 * form of `formatSerial`; `revokedAt` to the second.
 */
export type CrlEntry = { serial: string; revokedAt: Date; reason: EntryReason };

/** Head, serial number, GeneralizedTime and reason: the most an entry of ours takes. */
export const MAX_ENTRY_OCTETS = 2 + 23 + MAX_TIME_OCTETS + 14;

/** crlEntryExtensions of each reason; none for `unspecified`, which RFC 5280 §5.3.1 leaves out. */
const reasonExtensions = Object.fromEntries(
  Object.entries(entryReasons).map(([name, code]) => [
    name,
    code === entryReasons.unspecified
      ? new Uint8Array()
      : sequence(encodeExtension({ oid: oids.crlReason, critical: false, value: enumerated(code) })),
  ]),
) as Record<EntryReason, Uint8Array>;

/** One entry, DER: what a row may keep, so that a list of millions is only copied together. */
export function encodeCrlEntry(entry: CrlEntry): Uint8Array {
  const out = Buffer.allocUnsafe(MAX_ENTRY_OCTETS);
  return Uint8Array.from(out.subarray(0, writeCrlEntry(out, 0, entry)));
}

/** Many entries, DER, one behind the other: a page of a list of millions becomes octets, and its rows may go. */
export function encodeCrlEntries(entries: readonly CrlEntry[]): Uint8Array {
  const out = Buffer.allocUnsafe(MAX_ENTRY_OCTETS * entries.length);
  let at = 0;
  for (const entry of entries) at = writeCrlEntry(out, at, entry);
  // A copy, so that what was too much goes.
  return Uint8Array.from(out.subarray(0, at));
}

const PIECE_OCTETS = 64 * 1024;

/** Holds entries as octets, in pieces without gaps: nothing more is held of those that were added. */
export function crlEntryWriter(): {
  add(entry: CrlEntry): void;
  /** Every entry so far, one behind the other. */
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

/** Writes an entry at `offset`, where `MAX_ENTRY_OCTETS` must be free, and answers where it ends. */
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

/** Reads one entry that fills `bytes`. Throws `Malformed`, also on `removeFromCRL` in a list that is complete. */
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
    // Such as certificateIssuer: whoever does not know it would hold the wrong certificate revoked (RFC 5280 §5.3).
    else if (critical) throw new Malformed(`critical entry extension ${oid} is not used here`);
  }
  return found;
}
