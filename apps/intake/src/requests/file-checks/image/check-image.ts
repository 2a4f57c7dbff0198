import { createText } from '@rubrica/contracts/error-texts/create-text';
import { type ImageSize, readJpegHeader, readPngSize } from '../../../base/image-header.ts';
import type { FileLimits } from '../limits.ts';
import { ok, type Verdict } from '../verdict.ts';
import { judgeSize } from './judge-size.ts';
import { hasPngBomb } from './png-bomb.ts';

export type ImageFormat = 'JPEG' | 'PNG';

/** Decodes the whole picture. @throws if it cannot */
export type DecodeImage = (bytes: Buffer, format: ImageFormat) => Promise<void>;

function judgeUnreadable(format: ImageFormat): Verdict {
  return {
    kind: 'unreadable',
    text: createText('file.unreadablePicture', { format }),
  };
}

const bomb: Verdict = { kind: 'bomb', text: createText('file.pictureBomb') };

/** Pixels that may be blank: a page of A4 at 300 dots an inch has 9 megapixels. */
const plausiblyBlankPixels = 16_000_000;
const minBitsPerPixel = 0.01;

/** Returns whether a picture of one colour costs a second to decode and a few kilobytes to send. */
function isImplausiblySmall(bytes: number, { width, height }: ImageSize): boolean {
  const pixels = width * height;
  return pixels > plausiblyBlankPixels && bytes * 8 < pixels * minBitsPerPixel;
}

/** Finds what the header alone says against a picture; nothing is unpacked for it. */
export function findHeaderFault(
  bytes: Buffer,
  format: ImageFormat,
  limits: FileLimits['image'],
): Verdict | undefined {
  const header = format === 'PNG' ? readPngSize(bytes) : readJpegHeader(bytes);
  if (header === undefined) return judgeUnreadable(format);
  const sizeFault = judgeSize(header, limits);
  if (sizeFault) return sizeFault;
  if (isImplausiblySmall(bytes.length, header)) return bomb;
  return 'scans' in header && (header.scans as number) > limits.maxScans ? bomb : undefined;
}

/**
 * Checks the header first, then what is packed with the picture, then the picture: each step limits the cost
 * of the next.
 */
export async function checkImage(
  bytes: Buffer,
  format: ImageFormat,
  { limits, decode }: { limits: FileLimits['image']; decode: DecodeImage },
): Promise<Verdict> {
  const fault = findHeaderFault(bytes, format, limits);
  if (fault) return fault;
  if (format === 'PNG' && hasPngBomb(bytes, limits)) return bomb;
  try {
    await decode(bytes, format);
    return ok;
  } catch (error) {
    if (isOutOfMemory(error)) throw error;
    return judgeUnreadable(format);
  }
}

/**
 * Returns whether memory ran out, which says nothing of the picture: the provider of the memory has to judge.
 */
function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && /out of memory/i.test(error.message);
}
