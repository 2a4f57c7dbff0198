import { expect, test } from 'vitest';
import { recogniseType } from './file-type.ts';

function ftyp(brand: string) {
  return Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from(`ftyp${brand}`, 'latin1'), Buffer.alloc(12)]);
}

function ebml(docType: string) {
  return Buffer.concat([
    Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282', 'hex'),
    Buffer.from([0x84]),
    Buffer.from(docType),
  ]);
}

test.each([
  ['image/jpeg', Buffer.from('ffd8ffe000104a464946', 'hex')],
  ['image/png', Buffer.from('89504e470d0a1a0a0000000d', 'hex')],
  ['application/pdf', Buffer.from('%PDF-1.4\n')],
  ['video/mp4', ftyp('isom')],
  ['video/mp4', ftyp('mp42')],
  ['video/quicktime', ftyp('qt  ')],
  ['video/webm', ebml('webm')],
])('%s is recognised by its first bytes', (mediaType, bytes) => {
  expect(recogniseType(bytes)?.mediaType).toBe(mediaType);
});

test.each([
  ['nothing', Buffer.alloc(0)],
  ['a picture in an MP4 container', ftyp('heic')],
  ['sound in an MP4 container', ftyp('M4A ')],
  ['Matroska, which shares its first bytes with WebM', ebml('matroska')],
  ['GIF', Buffer.from('GIF89a')],
  ['a PDF that begins later', Buffer.from('junk%PDF-1.4')],
  ['a PNG cut short', Buffer.from('89504e47', 'hex')],
  ['HTML', Buffer.from('<!doctype html>')],
])('%s is not taken', (_what, bytes) => {
  expect(recogniseType(bytes)).toBeUndefined();
});

test('a file that lies inside a larger buffer is read at its own place', () => {
  const larger = Buffer.concat([Buffer.alloc(100), Buffer.from('%PDF-1.4\n')]);
  expect(recogniseType(larger.subarray(100))?.fileClass).toBe('pdf');
});
