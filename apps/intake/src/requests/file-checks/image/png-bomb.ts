import { inflateSync } from 'node:zlib';
import type { FileLimits } from '../limits.ts';

const signatureBytes = 8;
/** Length, type and checksum of a chunk. */
const frameBytes = 12;

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

/** Reads the chunks until one is incomplete (W3C PNG, section 5). */
function* readChunks(bytes: Buffer): Generator<Chunk> {
  for (let at = signatureBytes; at + frameBytes <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const end = at + 8 + length;
    if (end + 4 > bytes.length) return;
    yield { type: bytes.toString('latin1', at + 4, at + 8), data: bytes.subarray(at + 8, end) };
    at = end + 4;
  }
}

/** Positions where the compressed part of a chunk begins; undefined if it has none. */
const packedParts: Readonly<Record<string, (data: Buffer) => number | undefined>> = {
  // Keyword, NUL, method.
  zTXt: (data) => findAfterNul(data, 0, 1),
  iCCP: (data) => findAfterNul(data, 0, 1),
  // Keyword, NUL, flag, method, language, NUL, translated keyword, NUL.
  iTXt: (data) => {
    const flag = findAfterNul(data, 0, 0);
    if (flag === undefined || data[flag] !== 1) return undefined;
    const translated = findAfterNul(data, flag + 2, 0);
    return translated === undefined ? undefined : findAfterNul(data, translated, 0);
  },
};

function findAfterNul(data: Buffer, from: number, more: number): number | undefined {
  const nul = data.indexOf(0, from);
  return nul === -1 ? undefined : nul + 1 + more;
}

/** Returns whether texts or profile unpack to more than a viewer should be asked to hold. */
export function hasPngBomb(bytes: Buffer, limits: FileLimits['image']): boolean {
  let left = limits.maxTextBytes;
  let texts = 0;
  for (const { type, data } of readChunks(bytes)) {
    const from = packedParts[type]?.(data);
    if (from === undefined) continue;
    texts += 1;
    const size = measureUnpacked(data.subarray(from), left);
    if (size === undefined || texts > limits.maxTexts) return true;
    left -= size;
  }
  return false;
}

/**
 * Unpacks a part and returns its size; undefined if it exceeds `maxBytes`. What cannot be unpacked has size
 * 0.
 */
function measureUnpacked(packed: Buffer, maxBytes: number): number | undefined {
  try {
    return inflateSync(packed, { maxOutputLength: Math.max(maxBytes, 1) }).length;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? undefined : 0;
  }
}
