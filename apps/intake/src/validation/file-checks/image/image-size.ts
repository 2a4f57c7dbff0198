import type { FileLimits } from '../limits.ts';
import type { Verdict } from '../verdict.ts';

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Judged before anything is decoded: the header decides what decoding costs. */
export function judgeSize({ width, height }: ImageSize, limits: FileLimits['image']): Verdict | undefined {
  const given = `has ${width} x ${height} pixels`;
  if (width === 0 || height === 0) return { kind: 'unreadable', says: `${given}; send a whole picture` };
  if (Math.max(width, height) > limits.maxSidePixels)
    return { kind: 'too-many-pixels', says: `${given}; at most ${limits.maxSidePixels} a side are taken` };
  if (width * height > limits.maxPixels)
    return {
      kind: 'too-many-pixels',
      says: `${given}; at most ${limits.maxPixels / 1_000_000} megapixels are taken`,
    };
  return undefined;
}
