import { describe, expect, it } from 'vitest';
import { judgeLogo } from './judge-logo.ts';

function png(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(33);
  bytes.write('89504e470d0a1a0a0000000d49484452', 'hex');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

function webp(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(30);
  bytes.write('RIFF\0\0\0\0WEBPVP8X', 'latin1');
  bytes.writeUIntLE(width - 1, 24, 3);
  bytes.writeUIntLE(height - 1, 27, 3);
  return bytes;
}

const jpeg = Buffer.from('ffd8ffc00011080190032003012200021101031101ffd9', 'hex');
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

function refusal(why: RegExp) {
  return expect.objectContaining({ code: 'FIELD_INVALID', publicMessage: expect.stringMatching(why) });
}

describe('a logo', () => {
  it.each([
    ['image/png', png(800, 400)],
    ['image/jpeg', jpeg],
    ['image/webp', webp(800, 400)],
  ])('is %s by what it holds', (type, bytes) => {
    expect(judgeLogo(bytes)).toBe(type);
  });

  it.each([
    ['an SVG', Buffer.from(svg), /PNG, JPEG or WebP/],
    ['an SVG with a declaration', Buffer.from(`<?xml version="1.0"?>${svg}`), /PNG, JPEG or WebP/],
    ['a GIF', Buffer.from('GIF89a'), /PNG, JPEG or WebP/],
    ['nothing', Buffer.alloc(0), /PNG, JPEG or WebP/],
    ['more than 48 KiB', Buffer.concat([png(10, 10), Buffer.alloc(48 * 1024)]), /48 KiB/],
    ['a picture too wide', png(801, 400), /801 x 400/],
    ['a picture too high', webp(800, 401), /800 x 401/],
    ['a picture without a size', png(0, 10), /cannot be read/],
    ['a picture cut short', webp(10, 10).subarray(0, 20), /cannot be read/],
  ])('is refused: %s', (_what, bytes, why) => {
    expect(() => judgeLogo(bytes)).toThrow(refusal(why));
  });
});
