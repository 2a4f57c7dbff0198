import { createText } from '@rubrica/contracts/error-texts/create-text';
import { ok, type Verdict } from '../verdict.ts';

/**
 * Verdict on an unusual video. Nothing is decoded here, and recorders vary in their boxes: a person has to
 * see whether it plays.
 */
const doubtful: Verdict = {
  kind: 'doubtful',
  text: createText('file.doubtfulVideo'),
};

/** Boxes that a film consists of (ISO/IEC 14496-12, table 1); the others only accompany them. */
const filmBoxes = new Set(['moov', 'mdat', 'moof']);
const maxBoxes = 16;

/**
 * Checks that the first boxes are those of a film. Each says its length; 1 means that 64 bits follow, 0 the
 * rest. QuickTime may begin without a file type: then only a description (`moov`) shows that it is a film.
 */
export function checkIsoVideo(bytes: Buffer): Verdict {
  let at = 0;
  let isTyped = false;
  for (let count = 0; count < maxBoxes && at + 8 <= bytes.length; count += 1) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (!/^[\x20-\x7e©]{4}$/.test(type)) return doubtful;
    if (type === 'moov' || (isTyped && filmBoxes.has(type))) return ok;
    isTyped ||= type === 'ftyp';
    const length = readBoxLength(bytes, at);
    if (length < 8) return doubtful;
    at += length;
  }
  return doubtful;
}

function readBoxLength(bytes: Buffer, at: number): number {
  const length = bytes.readUInt32BE(at);
  if (length !== 1) return length;
  return at + 16 <= bytes.length ? Number(bytes.readBigUInt64BE(at + 8)) : 0;
}

const segmentId = Buffer.from('18538067', 'hex');

/** Checks that a segment follows the EBML header (RFC 8794, section 8; RFC 9559, section 5.1). */
export function checkWebm(bytes: Buffer): Verdict {
  const length = readHeaderLength(bytes);
  if (length === undefined) return doubtful;
  // A Void element may be between.
  return bytes.subarray(length, length + 1_024).includes(segmentId) ? ok : doubtful;
}

/**
 * Computes the length of the whole EBML header: four bytes of id, its length as a variable-size integer, its
 * body.
 */
function readHeaderLength(bytes: Buffer): number | undefined {
  const first = bytes[4];
  if (first === undefined || first === 0) return undefined;
  const octets = Math.clz32(first) - 23;
  if (bytes.length < 4 + octets) return undefined;
  let value = first & (0xff >> octets);
  for (let index = 1; index < octets; index += 1) value = value * 256 + (bytes[4 + index] as number);
  const end = 4 + octets + value;
  return end <= bytes.length ? end : undefined;
}
