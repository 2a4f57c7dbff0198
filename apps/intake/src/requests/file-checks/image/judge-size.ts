import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ImageSize } from '../../../base/image-header.ts';
import type { FileLimits } from '../limits.ts';
import type { Verdict } from '../verdict.ts';

/** Judges the size before anything is decoded: the header decides what decoding costs. */
export function judgeSize({ width, height }: ImageSize, limits: FileLimits['image']): Verdict | undefined {
  const size = `${width} x ${height}`;
  if (width === 0 || height === 0) return { kind: 'unreadable', text: createText('file.noPixels', { size }) };
  if (Math.max(width, height) > limits.maxSidePixels)
    return {
      kind: 'too-many-pixels',
      text: createText('file.sideTooLong', { size, count: limits.maxSidePixels }),
    };
  if (width * height > limits.maxPixels)
    return {
      kind: 'too-many-pixels',
      text: createText('file.tooManyPixels', {
        size,
        count: limits.maxPixels / 1_000_000,
      }),
    };
  return undefined;
}
