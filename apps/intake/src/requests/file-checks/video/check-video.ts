import { createText } from '@rubrica/contracts/error-texts/create-text';
import { ok, type Verdict } from '../verdict.ts';

/** Nothing is decoded here, and recorders are free with their boxes: whether it plays is for a person to see. */
const doubtful: Verdict = {
  kind: 'doubtful',
  text: createText('file.doubtfulVideo'),
};

/** Boxes that a film is made of (ISO/IEC 14496-12, table 1); the others only stand around them. */
const filmBoxes = new Set(['moov', 'mdat', 'moof']);
const mostBoxes = 16;

/**
 * Tells whether the first boxes are those of a film. Each says its length; 1 means that 64 bits follow, 0 the rest. QuickTime may
 * begin without a file type: nothing but a description (`moov`) says then that it is a film.
 */
export function checkIsoVideo(bytes: Buffer): Verdict {
  let at = 0;
  let isTyped = false;
  for (let count = 0; count < mostBoxes && at + 8 <= bytes.length; count += 1) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (!/^[\x20-\x7e©]{4}$/.test(type)) return doubtful;
    if (type === 'moov' || (isTyped && filmBoxes.has(type))) return ok;
    isTyped ||= type === 'ftyp';
    const length = boxLength(bytes, at);
    if (length < 8) return doubtful;
    at += length;
  }
  return doubtful;
}

function boxLength(bytes: Buffer, at: number): number {
  const length = bytes.readUInt32BE(at);
  if (length !== 1) return length;
  return at + 16 <= bytes.length ? Number(bytes.readBigUInt64BE(at + 8)) : 0;
}

const segmentId = Buffer.from('18538067', 'hex');

/** Whether a segment follows the EBML header (RFC 8794, section 8; RFC 9559, section 5.1). */
export function checkWebm(bytes: Buffer): Verdict {
  const length = headerLength(bytes);
  if (length === undefined) return doubtful;
  // A Void element may stand between.
  return bytes.subarray(length, length + 1_024).includes(segmentId) ? ok : doubtful;
}

/** Of the whole EBML header: four bytes of id, its length as a variable-size integer, its body. */
function headerLength(bytes: Buffer): number | undefined {
  const first = bytes[4];
  if (first === undefined || first === 0) return undefined;
  const octets = Math.clz32(first) - 23;
  if (bytes.length < 4 + octets) return undefined;
  let value = first & (0xff >> octets);
  for (let index = 1; index < octets; index += 1) value = value * 256 + (bytes[4 + index] as number);
  const end = 4 + octets + value;
  return end <= bytes.length ? end : undefined;
}
