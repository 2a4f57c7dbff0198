import { say } from '@rubrica/contracts/error-texts/say';
import type { ImageSize } from '../../../image-header.ts';
import type { FileLimits } from '../limits.ts';
import type { Verdict } from '../verdict.ts';

/** Judged before anything is decoded: the header decides what decoding costs. */
export function judgeSize({ width, height }: ImageSize, limits: FileLimits['image']): Verdict | undefined {
  const size = `${width} x ${height}`;
  if (width === 0 || height === 0)
    return { kind: 'unreadable', says: say('has {size} pixels; send a whole picture', { size }) };
  if (Math.max(width, height) > limits.maxSidePixels)
    return {
      kind: 'too-many-pixels',
      says: say('has {size} pixels; at most {count} a side are taken', { size, count: limits.maxSidePixels }),
    };
  if (width * height > limits.maxPixels)
    return {
      kind: 'too-many-pixels',
      says: say('has {size} pixels; at most {count} megapixels are taken', {
        size,
        count: limits.maxPixels / 1_000_000,
      }),
    };
  return undefined;
}
