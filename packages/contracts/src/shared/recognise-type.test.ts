import fc from 'fast-check';
import { expect, test } from 'vitest';
import { recogniseType } from './recognise-type.ts';

function ftyp(brand: string) {
  return Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from(`ftyp${brand}`, 'latin1'), Buffer.alloc(12)]);
}

function box(type: string, octets = 0) {
  const head = Buffer.alloc(8 + octets);
  head.writeUInt32BE(head.length);
  head.write(type, 4, 'latin1');
  return head;
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
  ['video/quicktime', Buffer.concat([box('wide'), box('mdat', 5_000)])],
  ['video/quicktime', box('mdat', 5_000)],
  ['video/quicktime', Buffer.concat([Buffer.from([0, 0, 0, 0]), Buffer.from('mdat')])],
  ['video/quicktime', Buffer.concat([Buffer.from([0, 0, 0, 1]), Buffer.from('mdat'), Buffer.alloc(20)])],
  ['video/quicktime', box('moov', 5_000)],
  ['video/quicktime', box('free', 5_000)],
  ['video/quicktime', Buffer.concat([box('free', 20), box('wide'), ftyp('qt  ')])],
  ['video/quicktime', Buffer.concat([box('skip', 20), box('moov', 5_000)])],
  ['video/quicktime', Buffer.concat([box('pnot', 12), box('mdat', 5_000)])],
  ['video/mp4', Buffer.concat([box('free', 20), ftyp('isom')])],
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
  ['a picture in an MP4 container after free space', Buffer.concat([box('free'), ftyp('heic')])],
  ['text that has the name of a box in its place', Buffer.from('Get free delivery: moov on, mdat')],
  ['a box of no length', Buffer.concat([Buffer.from([0, 0, 0, 2]), Buffer.from('moov')])],
  ['free space before what is no film', Buffer.concat([box('free'), box('jP  ', 40)])],
  ['a PDF cut short in its header', Buffer.from('junk%PDF')],
  ['a PNG cut short', Buffer.from('89504e47', 'hex')],
  ['HTML', Buffer.from('<!doctype html>')],
])('%s is not taken', (_what, bytes) => {
  expect(recogniseType(bytes)).toBeUndefined();
});

test('a file that lies inside a larger buffer is read at its own place', () => {
  const larger = Buffer.concat([Buffer.alloc(100), Buffer.from('%PDF-1.4\n')]);
  expect(recogniseType(larger.subarray(100))?.fileClass).toBe('pdf');
});

const pdf = Buffer.from('%PDF-1.4\n');
/** First octets that decide for another type. */
const signatures = ['ffd8ff', '89504e470d0a1a0a', '1a45dfa3'].map((hex) => Buffer.from(hex, 'hex'));

function decidesItself(prefix: Uint8Array): boolean {
  const bytes = Buffer.from(prefix);
  return (
    signatures.some((signature) => bytes.subarray(0, signature.length).equals(signature)) ||
    bytes.subarray(4, 8).equals(Buffer.from('ftyp'))
  );
}

const mailHeader = fc
  .array(fc.tuple(fc.stringMatching(/^[A-Za-z-]{1,20}$/), fc.stringMatching(/^[ -~]{0,40}$/)), {
    maxLength: 12,
  })
  .map((lines) => Buffer.from(lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')));
const anyPrefix = fc.oneof(
  fc.uint8Array({ maxLength: 1_019 }),
  mailHeader,
  fc.constantFrom('\ufeff', '\n', '\r\n', '\ufeff\r\n', '\ufffe', ' \t').map((text) => Buffer.from(text)),
  fc.nat(1_019).map((length) => Buffer.alloc(length)),
);

test('a PDF is one whatever stands before its header within the first 1,024 octets', () => {
  fc.assert(
    fc.property(anyPrefix, fc.uint8Array({ maxLength: 3_000 }), (prefix, rest) => {
      fc.pre(prefix.length <= 1_019 && !decidesItself(prefix));
      expect(recogniseType(Buffer.concat([prefix, pdf, rest]))?.mediaType).toBe('application/pdf');
    }),
    { numRuns: 2_000 },
  );
});

test('a PDF whose header ends behind the first 1,024 octets is none', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1_020, max: 5_000 }),
      fc.integer({ min: 1, max: 0x24 }),
      (length, octet) => {
        expect(recogniseType(Buffer.concat([Buffer.alloc(length, octet), pdf]))).toBeUndefined();
      },
    ),
  );
});
