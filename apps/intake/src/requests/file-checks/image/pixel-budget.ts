import { createText } from '@rubrica/contracts/error-texts/create-text';
import { recogniseType } from '@rubrica/contracts/shared/recognise-type';
import { type ImageSize, readJpegSize, readPngSize } from '../../../base/image-header.ts';
import type { Verdict } from '../verdict.ts';

/** Pixels that the pictures of one request may have in all. */
export interface PixelBudget {
  /** Subtracts the pixels of a picture, by its header. @returns a refusal if they exceed the rest */
  spend(bytes: Buffer): Verdict | undefined;
}

const sizeReaders: Readonly<Record<string, (bytes: Buffer) => ImageSize | undefined>> = {
  'image/png': readPngSize,
  'image/jpeg': readJpegSize,
};

export function createPixelBudget(maxPixels: number): PixelBudget {
  let left = maxPixels;
  return {
    spend(bytes) {
      const size = sizeReaders[recogniseType(bytes)?.mediaType ?? '']?.(bytes);
      if (size === undefined) return undefined;
      const pixels = size.width * size.height;
      if (pixels > left)
        return {
          kind: 'too-many-pixels',
          text: createText('file.pixelBudget', {
            size: `${size.width} x ${size.height}`,
            count: maxPixels / 1_000_000,
          }),
        };
      left -= pixels;
      return undefined;
    },
  };
}
