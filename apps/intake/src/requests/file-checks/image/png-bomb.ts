import { inflateSync } from 'node:zlib';
import type { FileLimits } from '../limits.ts';

const signatureBytes = 8;
/** Length, type and checksum around the data of a chunk. */
const frameBytes = 12;

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

/** The chunks as far as they are whole (W3C PNG, section 5). */
function* chunksOf(bytes: Buffer): Generator<Chunk> {
  for (let at = signatureBytes; at + frameBytes <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const end = at + 8 + length;
    if (end + 4 > bytes.length) return;
    yield { type: bytes.toString('latin1', at + 4, at + 8), data: bytes.subarray(at + 8, end) };
    at = end + 4;
  }
}

/** Where the compressed part of a chunk begins; undefined where there is none. */
const packedParts: Readonly<Record<string, (data: Buffer) => number | undefined>> = {
  // Keyword, NUL, method.
  zTXt: (data) => afterNul(data, 0, 1),
  iCCP: (data) => afterNul(data, 0, 1),
  // Keyword, NUL, flag, method, language, NUL, translated keyword, NUL.
  iTXt: (data) => {
    const flag = afterNul(data, 0, 0);
    if (flag === undefined || data[flag] !== 1) return undefined;
    const translated = afterNul(data, flag + 2, 0);
    return translated === undefined ? undefined : afterNul(data, translated, 0);
  },
};

function afterNul(data: Buffer, from: number, more: number): number | undefined {
  const nul = data.indexOf(0, from);
  return nul === -1 ? undefined : nul + 1 + more;
}

/** Whether texts or profile unpack to more than a viewer should be asked to hold. */
export function hidesPngBomb(bytes: Buffer, limits: FileLimits['image']): boolean {
  let left = limits.maxTextBytes;
  let texts = 0;
  for (const { type, data } of chunksOf(bytes)) {
    const from = packedParts[type]?.(data);
    if (from === undefined) continue;
    texts += 1;
    const size = unpackedSize(data.subarray(from), left);
    if (size === undefined || texts > limits.maxTexts) return true;
    left -= size;
  }
  return false;
}

/** Undefined where it is more than `most`; what cannot be unpacked is nothing. */
function unpackedSize(packed: Buffer, most: number): number | undefined {
  try {
    return inflateSync(packed, { maxOutputLength: Math.max(most, 1) }).length;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? undefined : 0;
  }
}
