/** Size of a picture as its first bytes give it; nothing is decoded. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Reads IHDR, which comes first (W3C PNG, section 11.2.1). @returns undefined if there is no such header */
export function readPngSize(bytes: Buffer): ImageSize | undefined {
  if (bytes.length < 33 || bytes.readUInt32BE(8) !== 13 || bytes.toString('latin1', 12, 16) !== 'IHDR')
    return undefined;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** Readers of the size by kind of first chunk (RFC 9649, section 2; for `VP8 ` RFC 6386, section 9.1). */
const sizeReaders: Readonly<Record<string, (bytes: Buffer) => ImageSize | undefined>> = {
  'VP8 ': (bytes) =>
    bytes.toString('hex', 23, 26) === '9d012a'
      ? { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
      : undefined,
  VP8L: (bytes) => {
    if (bytes[20] !== 0x2f) return undefined;
    const packed = bytes.readUInt32LE(21);
    return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
  },
  VP8X: (bytes) => ({ width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }),
};

/** @returns undefined if there is no such header */
export function readWebpSize(bytes: Buffer): ImageSize | undefined {
  if (bytes.length < 30) return undefined;
  return sizeReaders[bytes.toString('latin1', 12, 16)]?.(bytes);
}

export interface JpegHeader extends ImageSize {
  readonly scans: number;
}

const marker = { prefix: 0xff, endOfImage: 0xd9, startOfScan: 0xda } as const;

/** Returns true for SOF0 to SOF15, without DHT, JPG and DAC, which lie among them (ITU-T T.81, table B.1). */
function isFrame(code: number): boolean {
  return code >= 0xc0 && code <= 0xcf && code !== 0xc4 && code !== 0xc8 && code !== 0xcc;
}

/** Returns true for TEM and the restart markers; all other markers carry their length. */
function isStandalone(code: number): boolean {
  return code === 0x01 || (code >= 0xd0 && code <= 0xd8);
}

/** Finds the next marker at or after `from`. Compressed data holds 0xff only before 0x00 or a restart. */
function nextMarker(bytes: Buffer, from: number): { code: number; end: number } | undefined {
  for (let at = bytes.indexOf(marker.prefix, from); at !== -1; at = bytes.indexOf(marker.prefix, at)) {
    while (bytes[at] === marker.prefix) at += 1;
    const code = bytes[at];
    if (code === undefined) return undefined;
    if (code !== 0 && !isStandalone(code)) return { code, end: at + 1 };
  }
  return undefined;
}

/**
 * Reads the largest size that any frame gives, and the number of scans. It reads markers alone.
 * @returns undefined if there is no frame
 */
export function readJpegHeader(bytes: Buffer): JpegHeader | undefined {
  let size: ImageSize | undefined;
  let scans = 0;
  for (let found = nextMarker(bytes, 2); found; found = nextMarker(bytes, found.end)) {
    const { code, end } = found;
    if (code === marker.endOfImage) break;
    if (end + 7 > bytes.length) break;
    const length = bytes.readUInt16BE(end);
    if (code === marker.startOfScan) scans += 1;
    if (isFrame(code)) size = larger(size, readFrame(bytes, end));
    found.end += Math.max(length, 2);
  }
  return size && { ...size, scans };
}

/**
 * Reads the size in the first frame header, which comes before the first scan (ITU-T T.81, B.2.1). The cost
 * is small whatever follows.
 * @returns undefined if no frame comes before it
 */
export function readJpegSize(bytes: Buffer): ImageSize | undefined {
  for (let found = nextMarker(bytes, 2); found; found = nextMarker(bytes, found.end)) {
    const { code, end } = found;
    if (code === marker.endOfImage || code === marker.startOfScan || end + 7 > bytes.length) return undefined;
    if (isFrame(code)) return readFrame(bytes, end);
    found.end += Math.max(bytes.readUInt16BE(end), 2);
  }
  return undefined;
}

function readFrame(bytes: Buffer, at: number): ImageSize {
  return {
    height: bytes.readUInt16BE(at + 3),
    width: bytes.readUInt16BE(at + 5),
  };
}

function larger(current: ImageSize | undefined, other: ImageSize): ImageSize {
  return current && current.width * current.height >= other.width * other.height ? current : other;
}
