import sharp from 'sharp';
import type { FileLimits } from '../limits.ts';
import type { DecodeImage } from './check-image.ts';

/**
 * Creates a decoder with libvips. It shrinks the whole picture to one pixel: every pixel is decoded, hardly
 * any is held. Only the two accepted formats of libvips stay open.
 */
export function createDecodeImage({ maxPixels }: FileLimits['image']): DecodeImage {
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'] });
  return async (bytes) => {
    // 'error' accepts the faults of every camera; a picture that breaks off still fails.
    const options = { failOn: 'error', limitInputPixels: maxPixels, sequentialRead: true } as const;
    await sharp(bytes, options).resize(1, 1, { fit: 'fill', fastShrinkOnLoad: false }).raw().toBuffer();
  };
}
