import type { ImageSize } from './image-size.ts';

export interface JpegHeader extends ImageSize {
  readonly scans: number;
}

const marker = { prefix: 0xff, endOfImage: 0xd9, startOfScan: 0xda } as const;

/** SOF0 to SOF15 but for DHT, JPG and DAC, which lie among them (ITU-T T.81, table B.1). */
function isFrame(code: number): boolean {
  return code >= 0xc0 && code <= 0xcf && code !== 0xc4 && code !== 0xc8 && code !== 0xcc;
}

/** TEM and the restart markers stand alone; all others say how long they are. */
function standsAlone(code: number): boolean {
  return code === 0x01 || (code >= 0xd0 && code <= 0xd8);
}

/** The next marker at or after `from`: compressed data holds 0xff only before 0x00 or a restart. */
function nextMarker(bytes: Buffer, from: number): { code: number; end: number } | undefined {
  for (let at = bytes.indexOf(marker.prefix, from); at !== -1; at = bytes.indexOf(marker.prefix, at)) {
    while (bytes[at] === marker.prefix) at += 1;
    const code = bytes[at];
    if (code === undefined) return undefined;
    if (code !== 0 && !standsAlone(code)) return { code, end: at + 1 };
  }
  return undefined;
}

/**
 * The largest size that any frame of the picture gives, and how many scans it has. Reads markers alone.
 * @returns undefined where no frame is found
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

function readFrame(bytes: Buffer, at: number): ImageSize {
  return {
    height: bytes.readUInt16BE(at + 3),
    width: bytes.readUInt16BE(at + 5),
  };
}

function larger(one: ImageSize | undefined, other: ImageSize): ImageSize {
  return one && one.width * one.height >= other.width * other.height ? one : other;
}
