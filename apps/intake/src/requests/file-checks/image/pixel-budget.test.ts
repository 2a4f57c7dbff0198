import { createText } from '@rubrica/contracts/error-texts/create-text';
import { makeJpeg, makePdf, makePng, makePngFromParts } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { readJpegHeader, readJpegSize } from '../../../base/image-header.ts';
import { createPixelBudget } from './pixel-budget.ts';

const picture = (width: number, height: number) => makePngFromParts({ width, height });
function jpegOf(width: number, height: number): Buffer {
  const bytes = makeJpeg();
  const frame = bytes.indexOf(Buffer.from('ffc0', 'hex'));
  bytes.writeUInt16BE(height, frame + 5);
  bytes.writeUInt16BE(width, frame + 7);
  return bytes;
}

describe('the budget of pixels of a request', () => {
  it('is shared by its pictures, and one that exceeds what is left takes nothing of it', () => {
    const budget = createPixelBudget(10_000_000);
    expect(budget.spend(picture(2_000, 2_000))).toBeUndefined();
    expect(budget.spend(jpegOf(2_000, 2_500))).toBeUndefined();
    expect(budget.spend(jpegOf(2_000, 1_000))).toEqual({
      kind: 'too-many-pixels',
      text: createText('file.pixelBudget', { size: '2000 x 1000', count: 10 }),
    });
    expect(budget.spend(picture(1_000, 1_000))).toBeUndefined();
    expect(budget.spend(picture(1, 1))).toMatchObject({ kind: 'too-many-pixels' });
  });

  it('is not spent on files without pixels, nor on what is no picture', () => {
    const budget = createPixelBudget(0);
    for (const bytes of [makePdf(), Buffer.from('hello'), Buffer.from('ffd8ffe0', 'hex')])
      expect(budget.spend(bytes)).toBeUndefined();
  });
});

describe('the size of a JPEG', () => {
  it('is that of the header in front of the first scan', () => {
    const bytes = jpegOf(4_000, 3_000);
    expect(readJpegSize(bytes)).toEqual({ width: 4_000, height: 3_000 });
    expect(readJpegHeader(bytes)).toMatchObject({ width: 4_000, height: 3_000 });
    const withoutFrame = Buffer.concat([Buffer.from('ffd8ffda0008', 'hex'), bytes.subarray(2), makePng()]);
    expect(readJpegSize(withoutFrame)).toBeUndefined();
  });
});
