import sharp from 'sharp';
import type { FileLimits } from '../limits.ts';
import type { DecodeImage } from './check-image.ts';

/**
 * Decodes with libvips. The whole picture is shrunk to one pixel: every pixel is decoded, hardly any is held.
 * Of libvips' many formats the two that are taken stay open.
 */
export function createDecodeImage({ maxPixels }: FileLimits['image']): DecodeImage {
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'] });
  return async (bytes) => {
    // 'error' lets pass what every camera gets wrong; a picture that breaks off is still one.
    const options = { failOn: 'error', limitInputPixels: maxPixels, sequentialRead: true } as const;
    await sharp(bytes, options).resize(1, 1, { fit: 'fill', fastShrinkOnLoad: false }).raw().toBuffer();
  };
}
