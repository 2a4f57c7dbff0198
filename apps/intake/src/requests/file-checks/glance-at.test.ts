import { deflateSync } from 'node:zlib';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import { recogniseType } from '@rubrica/contracts/shared/recognise-type';
import { makeJpeg, makePdf, makePdfFromObjects, makePng, objectStream } from '@rubrica/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkFile, checkSmallFile, maxQuickBytes } from './check-file.ts';
import { fileLimits } from './limits.ts';

const limits = fileLimits({ maxMegapixels: 50, maxSidePixels: 12_000, maxPages: 100 });
const page = '<< /Type /Page /Parent 2 0 R >>';
const script = '<< /S /JavaScript /JS (app.alert(1)) >>';
const webm = Buffer.from('1a45dfa3874282847765626d18538067', 'hex');
const lateHeader = createText('file.latePdfHeader', { count: 1_020 });
const hugeJpeg = makeJpeg();
hugeJpeg.writeUInt16BE(50_000, hugeJpeg.indexOf(Buffer.from('ffc0', 'hex')) + 5);

describe('a file', () => {
  const decode = async () => undefined;

  it('with something before the header of a PDF is checked as the PDF alone', async () => {
    const prefix = fc.uint8Array({ maxLength: 1_019 }).filter((bytes) => recogniseType(bytes) === undefined);
    const documents = fc.constantFrom(
      makePdf(),
      makePdfFromObjects([page, script]),
      makePdfFromObjects([page, '/Encrypt 1 0 R']),
      makePdfFromObjects(Array.from({ length: 101 }, () => page)),
    );
    await fc.assert(
      fc.asyncProperty(prefix, documents, async (before, document) => {
        const bytes = Buffer.concat([before, document]);
        expect(await checkFile(bytes, { limits, decode })).toEqual(
          await checkFile(document, { limits, decode }),
        );
      }),
    );
  });

  it('with too much before the header of a PDF is refused, saying how much', async () => {
    const bytes = Buffer.concat([Buffer.alloc(1_020, 0x20), makePdf()]);
    const refused = { kind: 'unreadable', text: lateHeader };
    expect(await checkFile(bytes, { limits, decode })).toEqual(refused);
    expect(checkSmallFile(bytes, limits)).toEqual(refused);
  });

  it.each([
    ['wide', '\0\0\0\x08wide\0\0\0\x0cmdat----\0\0\0\x08moov', 'ok'],
    ['mdat', '\0\0\0\x0cmdat----\0\0\0\x08moov', 'ok'],
    ['moov', '\0\0\0\x08moov\0\0\0\x08mdat', 'ok'],
    ['free', '\0\0\0\x08free\0\0\0\x10ftypqt  \0\0\0\0\0\0\0\x08mdat', 'ok'],
    ['mdat that has no end', '\0\0\x10\0mdat----', 'doubtful'],
    ['text about free mdat', '\nis free mdat moov', 'doubtful'],
  ])('of QuickTime that begins with %s is judged as a film', async (_what, text, kind) => {
    const bytes = Buffer.from(text, 'latin1');
    expect((await checkFile(bytes, { limits, decode })).kind).toBe(kind);
  });
});

describe('a glance at a small file', () => {
  it.each([
    ['a plain document', makePdf(40_000), 'ok'],
    ['a video that begins like one', webm, 'ok'],
    ['a picture of too many pixels', hugeJpeg, 'too-many-pixels'],
    ['a picture without a size', Buffer.from('ffd8ffe0', 'hex'), 'unreadable'],
    ['what is of no kind', Buffer.from('hello'), 'unreadable'],
  ])('is enough for %s', (_what, bytes, kind) => {
    expect(checkSmallFile(bytes, limits)?.kind).toBe(kind);
  });

  it.each([
    ['a picture', makeJpeg(20_000)],
    ['another picture', makePng(20_000)],
    ['a document with a script', makePdfFromObjects([page, script])],
    ['a document of too many pages', makePdfFromObjects(Array.from({ length: 101 }, () => page))],
    ['a document with much that is packed', makePdfFromObjects([page, objectStream(['x'.repeat(300_000)])])],
    [
      'a document of many streams',
      makePdfFromObjects([page, ...Array.from({ length: 20 }, () => objectStream([page]))]),
    ],
    ['a document of delimiters, each of which costs time', makePdfFromObjects([page, '/'.repeat(4_000)])],
    ['a document that is no longer small', makePdf(maxQuickBytes + 4_096)],
  ])('leaves %s to the process', (_what, bytes) => {
    expect(checkSmallFile(bytes, limits)).toBeUndefined();
  });

  it('says what the whole check says, of whatever begins like something that is known', async () => {
    const beginnings = ['25504446', 'ffd8ff', '89504e470d0a1a0a', '0000001866747970', '1a45dfa3', '00'];
    const document = makePdf(4_000);
    const damaged = fc
      .tuple(fc.nat(document.length - 1), fc.uint8Array({ maxLength: 40 }))
      .map(([at, bytes]) =>
        Buffer.concat([document.subarray(0, at), bytes, document.subarray(at + bytes.length)]),
      );
    const any = fc
      .tuple(fc.constantFrom(...beginnings), fc.uint8Array({ maxLength: 300 }))
      .map(([head, bytes]) => Buffer.concat([Buffer.from(head, 'hex'), bytes]));
    const decode = async () => undefined;
    await fc.assert(
      fc.asyncProperty(fc.oneof(damaged, any), async (bytes) => {
        const glanced = checkSmallFile(bytes, limits);
        if (glanced !== undefined) expect(glanced).toEqual(await checkFile(bytes, { limits, decode }));
      }),
      { numRuns: 2_000 },
    );
  });

  it('unpacks no bomb', () => {
    const zeros = deflateSync(Buffer.alloc(8 * 1024 * 1024), { level: 9 });
    const bomb = Buffer.concat([
      Buffer.from(`<< /Type /ObjStm /First 4 /Filter /FlateDecode /Length ${zeros.length} >>\nstream\r\n`),
      zeros,
      Buffer.from('\nendstream'),
    ]);
    expect(checkSmallFile(makePdfFromObjects([page, bomb]), limits)).toBeUndefined();
  });
});
