import { randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { makeJpeg, makePng, makePngFromParts, pngChunk } from '@rubrica/testkit';
import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { readJpegHeader, readPngSize } from '../../base/image-header.ts';
import { checkFile } from './check-file.ts';
import { createDecodeImage } from './image/decode-image.ts';
import { hasPngBomb } from './image/png-bomb.ts';
import { fileLimits } from './limits.ts';

const limits = fileLimits({ maxMegapixels: 50, maxSidePixels: 12_000, maxPages: 100 });
const needs = { limits, decode: createDecodeImage(limits.image) };
const neverDecodes = {
  limits,
  decode: () => {
    throw new Error('decoded');
  },
};
async function kindOf(bytes: Buffer) {
  return (await checkFile(bytes, needs)).kind;
}

function photograph(width: number, height: number) {
  return sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } });
}
const zeros = deflateSync(Buffer.alloc(256 * 1024 * 1024), { level: 9 });

/** A JPEG whose frame header says this size. */
function jpegSaying(width: number, height: number): Buffer {
  const bytes = makeJpeg();
  const frame = bytes.indexOf(Buffer.from('ffc0', 'hex'));
  bytes.writeUInt16BE(height, frame + 5);
  bytes.writeUInt16BE(width, frame + 7);
  return bytes;
}

describe('a large picture of hardly any bits', () => {
  const ofOneColour = (side: number) =>
    sharp(Buffer.alloc(side * side, 255), { raw: { width: side, height: side, channels: 1 } })
      .png({ compressionLevel: 9, palette: true, colours: 2 })
      .toBuffer();

  it('is refused, and is not decoded for it', async () => {
    const bytes = await ofOneColour(7_000);
    expect(bytes.length).toBeLessThan(10_000);
    expect(await checkFile(bytes, neverDecodes)).toMatchObject({ kind: 'bomb' });
  });

  it('is taken where it is no larger than a blank page', async () => {
    expect(await kindOf(await ofOneColour(3_500))).toBe('ok');
  });
});

describe('a picture', () => {
  it('is taken however small, large, progressive or interlaced it is', async () => {
    const some = photograph(60, 40);
    for (const bytes of [
      makePng(),
      makePng(40_000),
      makeJpeg(),
      makeJpeg(40_000),
      makePngFromParts({}),
      await some.clone().jpeg({ progressive: true }).toBuffer(),
      await some.clone().jpeg().withMetadata({ orientation: 6 }).toBuffer(),
      await some.clone().png({ progressive: true, palette: true }).toBuffer(),
      await some.clone().toColourspace('cmyk').jpeg().toBuffer(),
      await some.clone().toColourspace('rgb16').png().toBuffer(),
    ])
      expect(await kindOf(bytes)).toBe('ok');
  });

  it('that breaks off or is damaged cannot be read', async () => {
    for (const whole of [
      await photograph(80, 80).jpeg().toBuffer(),
      await photograph(80, 80).png().toBuffer(),
    ])
      for (const part of [0.05, 0.5, 0.99])
        expect(await kindOf(whole.subarray(0, Math.floor(whole.length * part)))).toBe('unreadable');
    expect(await kindOf(Buffer.from('89504e470d0a1a0a', 'hex'))).toBe('unreadable');
    expect(await kindOf(Buffer.from('ffd8ff', 'hex'))).toBe('unreadable');
  });

  it.each([
    ['50,000 a side', makePngFromParts({ width: 50_000, height: 50_000, data: zeros })],
    [
      'the most that a header can say',
      makePngFromParts({ width: 0x7fffffff, height: 0x7fffffff, data: zeros }),
    ],
    ['a pixel more than a side may have', makePngFromParts({ width: 12_001, height: 1 })],
    [
      'more megapixels, though no side is too long',
      makePngFromParts({ width: 10_000, height: 5_001, data: zeros }),
    ],
    ['too many in a JPEG', jpegSaying(8_000, 6_251)],
    ['65,535 a side in a JPEG', jpegSaying(65_535, 65_535)],
  ])('of %s is refused by its header, before anything is decoded', async (_what, bytes) => {
    expect(await checkFile(bytes, neverDecodes)).toMatchObject({ kind: 'too-many-pixels' });
  });

  it('of exactly as many pixels as may be goes on to be decoded', async () => {
    await expect(
      checkFile(makePngFromParts({ width: 10_000, height: 5_000, data: zeros }), needs),
    ).resolves.toEqual({
      kind: 'ok',
    });
  });

  it('whose data unpack to far more than its pixels costs no more than its pixels', async () => {
    const before = process.memoryUsage.rss();
    expect(await kindOf(makePngFromParts({ width: 100, height: 100, data: zeros }))).toBe('ok');
    expect(process.memoryUsage.rss() - before).toBeLessThan(128 * 1024 * 1024);
  });

  it.each([
    ['zTXt', 'Comment\0\0'],
    ['iCCP', 'profile\0\0'],
    ['iTXt', 'Comment\0\x01\0en\0\0'],
  ])('with a %s that unpacks to hundreds of megabytes is a bomb', async (type, head) => {
    const chunk = pngChunk(type, Buffer.concat([Buffer.from(head, 'latin1'), zeros]));
    expect(await checkFile(makePngFromParts({ extra: [chunk] }), neverDecodes)).toMatchObject({
      kind: 'bomb',
    });
  });

  it('with thousands of compressed texts, or of scans, is a bomb', async () => {
    const text = pngChunk('zTXt', Buffer.concat([Buffer.from('a\0\0'), deflateSync(Buffer.alloc(9))]));
    const texts = makePngFromParts({ extra: Array.from({ length: 1_001 }, () => text) });
    expect(await checkFile(texts, neverDecodes)).toMatchObject({ kind: 'bomb' });
    const jpeg = makeJpeg();
    const scan = jpeg.indexOf(Buffer.from('ffda', 'hex'));
    const scans = Array.from({ length: 101 }, () => jpeg.subarray(scan, -2));
    const many = Buffer.concat([jpeg.subarray(0, scan), ...scans, jpeg.subarray(-2)]);
    expect(await checkFile(many, neverDecodes)).toMatchObject({ kind: 'bomb' });
  });
});

describe('the header readers', () => {
  it('read what libvips reads', async () => {
    for (const format of ['jpeg', 'png'] as const) {
      const bytes = await photograph(123, 45).toFormat(format, { progressive: true }).toBuffer();
      const size = format === 'png' ? readPngSize(bytes) : readJpegHeader(bytes);
      expect(size).toMatchObject({ width: 123, height: 45 });
    }
  });

  it('never throw, whatever the bytes', () => {
    const heads = [
      makePng(),
      makeJpeg(),
      makePngFromParts({ extra: [pngChunk('zTXt', Buffer.from('a\0\0'))] }),
    ];
    const damaged = fc
      .tuple(fc.constantFrom(...heads), fc.array(fc.tuple(fc.nat(160), fc.nat(255))), fc.uint8Array())
      .map(([head, turns, tail]) => {
        const bytes = Buffer.concat([head, tail]);
        for (const [at, value] of turns) if (at < bytes.length) bytes[at] = value;
        return bytes;
      });
    fc.assert(
      fc.property(damaged, (bytes) => {
        readPngSize(bytes);
        readJpegHeader(bytes);
        hasPngBomb(bytes, limits.image);
      }),
      { numRuns: 5_000 },
    );
  });
});
