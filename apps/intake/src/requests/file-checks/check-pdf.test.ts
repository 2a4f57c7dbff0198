import { deflateSync } from 'node:zlib';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import { makePdf, makePdfFromObjects, objectStream } from '@rubrica/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fileLimits } from './limits.ts';
import { checkPdf } from './pdf/check-pdf.ts';
import { findNames } from './pdf/names.ts';

const limits = fileLimits({ maxMegapixels: 50, maxSidePixels: 12_000, maxPages: 100 }).pdf;
function kindOf(bytes: Buffer) {
  return checkPdf(bytes, limits).kind;
}
const page = '<< /Type /Page /Parent 2 0 R >>';
const script = '<< /S /JavaScript /JS (app.alert(1)) >>';
const inHex = Buffer.from(Buffer.from(`1 0 ${script}`).toString('hex'));

/** A stream that is no object stream. */
function stream(content: Uint8Array, entries = '') {
  return Buffer.concat([
    Buffer.from(`<< ${entries} /Length ${content.length} >>\nstream\r\n`),
    content,
    Buffer.from('\nendstream'),
  ]);
}

describe('a PDF', () => {
  it('of a page or a hundred is taken, whatever its cross-references say', () => {
    expect(kindOf(makePdf())).toBe('ok');
    expect(kindOf(makePdf(40_000))).toBe('ok');
    expect(kindOf(makePdfFromObjects([page]))).toBe('ok');
    expect(kindOf(makePdfFromObjects(Array.from({ length: 100 }, () => page)))).toBe('ok');
    expect(
      kindOf(Buffer.concat([makePdfFromObjects([page]), Buffer.from('startxref\n999999999\n%%EOF')])),
    ).toBe('ok');
  });

  it('with links, forms, destinations on opening and metadata is taken', () => {
    const ordinary = [
      page,
      '<< /S /URI /URI (https://example.com) >>',
      '<< /Fields [] /DA (/Helv 0 Tf) >>',
      stream(Buffer.from('<x:xmpmeta>JavaScript, AA and Encrypt are words</x:xmpmeta>'), '/Type /Metadata'),
      stream(deflateSync(Buffer.from('1 0 0 1 72 720 cm BT /F1 12 Tf (/JS) Tj ET')), '/Filter /FlateDecode'),
    ];
    expect(kindOf(makePdfFromObjects(ordinary, '/OpenAction [3 0 R /Fit] /AcroForm 5 0 R'))).toBe('ok');
  });

  it('whose compressed pictures hold short names by chance is taken', () => {
    const noise = Buffer.from('\x9f\x13/JS \x80/AA<\x01', 'latin1');
    expect(kindOf(makePdfFromObjects([page, stream(noise, '/Filter /DCTDecode')]))).toBe('ok');
  });

  it.each([
    ['a script on opening', makePdfFromObjects([page], `/OpenAction ${script}`)],
    ['a script by its key alone', makePdfFromObjects([page, '<< /S /Odd /JS (app.alert(1)) >>'])],
    ['a script whose name is escaped', makePdfFromObjects([page, '<< /S /J#61va#53cript >>'])],
    [
      'a script of which every character is escaped',
      makePdfFromObjects([page, '<< /#4A#53 (app.alert(1)) >>']),
    ],
    ['a script inside what looks like a string', makePdfFromObjects([page, `(${script})`])],
    ['a script inside what looks like a comment', makePdfFromObjects([page, `% ${script}`])],
    [
      'a script inside a plain stream, where a table may point',
      makePdfFromObjects([page, stream(Buffer.from(script))]),
    ],
    ['a program to start', makePdfFromObjects([page, '<</S/Launch/F(cmd.exe)>>'])],
    ['actions that start by themselves', makePdfFromObjects(['<< /Type /Page /AA << /O 5 0 R >> >>'])],
    ['embedded files', makePdfFromObjects([page], '/Names << /EmbeddedFiles 5 0 R >>')],
    ['an embedded file', makePdfFromObjects([page, stream(Buffer.from('MZ'), '/Type /EmbeddedFile')])],
    ['embedded media', makePdfFromObjects([page, '<< /Subtype /RichMedia >>'])],
    ['a dynamic form', makePdfFromObjects([page], '/AcroForm << /XFA 5 0 R >>')],
  ])('with %s is refused', (_what, bytes) => {
    expect(kindOf(bytes)).toBe('active-content');
  });

  it.each([
    ['as they are written', objectStream([page, script])],
    ['without the type that it should have', objectStream([script], { dictionary: '/N 1 /First 6' })],
    ['with an escaped type', objectStream([script], { dictionary: '/Type /Obj#53tm /N 1' })],
    ['without any entry', objectStream([script], { dictionary: '' })],
    ['behind something odd', objectStream(['foo', script], { dictionary: '/First 20', first: 'foo ' })],
    ['in a stream that breaks off', objectStream([script, page, ' '.repeat(5_000)], { cut: 6 })],
    ['in a stream with a wrong checksum', wrongChecksum(objectStream([script]))],
    [
      'in a stream inside a stream',
      stream(Buffer.concat([Buffer.from('x\nendobj\n9 0 obj\n'), objectStream([script])])),
    ],
  ])('that hides a script in a stream of objects is refused: %s', (_how, hiding) => {
    expect(kindOf(makePdfFromObjects([page, hiding]))).toBe('active-content');
  });

  it.each(['/ASCIIHexDecode', '/A85', '/LZWDecode', '/RL', '/Crypt'])(
    'with objects in %s, which is not unpacked, is refused',
    (filter) => {
      const hiding = stream(Buffer.from('3c3c>'), `/Type /ObjStm /N 1 /First 4 /Filter [${filter}]`);
      expect(kindOf(makePdfFromObjects([page, hiding]))).toBe('active-content');
    },
  );

  it('with objects behind a predictor is refused', () => {
    const dictionary = '/Type /ObjStm /N 1 /First 6 /DecodeParms << /Predictor 12 /Columns 5 >>';
    expect(kindOf(makePdfFromObjects([page, objectStream([page], { dictionary })]))).toBe('active-content');
  });

  it.each(['[/FlateDecode /FlateDecode]', '[/Fl /Fl]', '[/FlateDecode/#46lateDecode]'])(
    'with objects that are deflated twice is refused: %s',
    (filter) => {
      const twice = deflateSync(deflateSync(Buffer.from(`1 0 ${script}`)));
      const hiding = stream(twice, `/N 1 /First 4 /Filter ${filter}`);
      expect(kindOf(makePdfFromObjects([page, hiding]))).toBe('active-content');
    },
  );

  it.each([
    '/Filter 6 0 R',
    '/Filter [ 6 0 R ]',
    '/Filter%\r6 0 R',
    '/Filter[%]\n 6 0 R]',
    '/DecodeParms 6 0 R',
  ])('with objects whose filters another object names is refused: %s', (filters) => {
    const hiding = stream(inHex, `/Type /ObjStm /N 1 /First 4 ${filters}`);
    expect(kindOf(makePdfFromObjects([page, hiding]))).toBe('active-content');
  });

  it('with a stream that has more filters than any program writes is refused', () => {
    const hiding = stream(inHex, `/Type /ObjStm /N 1 /First 4 ${'/F%\n'.repeat(9)}`);
    expect(kindOf(makePdfFromObjects([page, hiding]))).toBe('active-content');
  });

  it.each([
    ['blanks', ' '.repeat(9_000)],
    ['a long comment', `%${'-'.repeat(9_000)}\n`],
    ['a long string', `/Note (${'-'.repeat(9_000)})`],
    ['the end of an object in a string', '/Note (a\\) (pair) endobj stream)'],
    ['the end of an object in hexadecimal', '/Note <endobj>'],
    ['the end of an object in a comment', '%endobj endstream\r'],
    ['the end of an object in a dictionary', '/Note << /More (endstream) >>'],
  ])('with encoded objects is refused where %s follows their filter', (_what, filling) => {
    const hiding = stream(inHex, `/Type /ObjStm /N 1 /First 4 /Filter /ASCIIHexDecode ${filling}`);
    expect(kindOf(makePdfFromObjects([page, hiding]))).toBe('active-content');
  });

  it.each([
    ['in its trailer', Buffer.concat([makePdf(), Buffer.from('trailer << /Encrypt 9 0 R /Root 1 0 R >>')])],
    [
      'in a cross-reference stream',
      makePdfFromObjects([page, stream(Buffer.from('x'), '/Type /XRef /Encrypt 9 0 R')]),
    ],
    ['under an escaped name', makePdfFromObjects([page, '<< /#45ncrypt 9 0 R >>'])],
  ])('that is encrypted is refused: %s', (_where, bytes) => {
    expect(checkPdf(bytes, limits)).toEqual({
      kind: 'encrypted',
      text: createText('file.encrypted'),
    });
  });

  it('of more than a hundred pages is refused, also where they lie in a stream of objects', () => {
    const pages = (count: number) => Array.from({ length: count }, () => page);
    expect(kindOf(makePdfFromObjects(pages(101)))).toBe('too-many-pages');
    expect(kindOf(makePdfFromObjects([...pages(60), objectStream(pages(41))]))).toBe('too-many-pages');
    expect(kindOf(makePdfFromObjects([...pages(60), objectStream(pages(40))]))).toBe('ok');
  });

  it('counts a page that a later revision gives anew once', () => {
    const revised = Buffer.from(`\n3 0 obj\n${page}\nendobj\n4 0 obj\n${page}\nendobj\n`);
    const hundred = makePdfFromObjects(Array.from({ length: 100 }, () => page));
    expect(kindOf(Buffer.concat([hundred, revised]))).toBe('ok');
  });

  it('in which no page is found is taken, and a person is told', () => {
    const empty =
      '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj';
    expect(checkPdf(Buffer.from(empty), limits)).toEqual({
      kind: 'doubtful',
      text: createText('file.noPages'),
    });
    expect(kindOf(Buffer.from('%PDF-1.4'))).toBe('doubtful');
  });

  it('whose objects unpack to more than may be is a bomb, and is not unpacked whole', () => {
    const packed = deflateSync(Buffer.alloc(200 * 1024 * 1024, '1 '), { level: 9 });
    const before = process.memoryUsage();
    expect(kindOf(makePdfFromObjects([page, stream(packed, '/Type /ObjStm /Filter /FlateDecode')]))).toBe(
      'bomb',
    );
    expect(kindOf(makePdfFromObjects([page, stream(packed)]))).toBe('bomb');
    expect(process.memoryUsage().external - before.external).toBeLessThan(80 * 1024 * 1024);
  });

  it('whose many streams unpack to more than may be together is a bomb', () => {
    const some = objectStream([page, ' '.repeat(1_000_000)]);
    const few = { ...limits, maxUnpackedBytes: 5_000_000 };
    expect(checkPdf(makePdfFromObjects([some, some, some, some]), few).kind).toBe('ok');
    expect(checkPdf(makePdfFromObjects([some, some, some, some, some, some]), few).kind).toBe('bomb');
  });
});

function wrongChecksum(whole: Buffer): Buffer {
  const bytes = Buffer.from(whole);
  const end = bytes.indexOf('\nendstream');
  bytes.fill(0xee, end - 4, end);
  return bytes;
}

describe('the scanner', () => {
  const pieces = fc.oneof(
    fc.constantFrom(
      ...['/Type /Page ', '/First 9', 'stream\n', 'endstream', ' obj ', '<<', '>>', '(', '%', '\r\n', '/#'],
      ...['trailer', '1 0 obj\n', '/ObjStm', '/A85 ', '\x78\x9c'],
    ),
    fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
    fc.string({ maxLength: 60 }).map((text) => deflateSync(Buffer.from(text)).toString('latin1')),
  );

  it('never throws and always ends, whatever follows the header', () => {
    const document = fc
      .array(pieces, { maxLength: 40 })
      .map((parts) => Buffer.from(`%PDF-1.7\n${parts.join('')}`, 'latin1'));
    fc.assert(
      fc.property(document, (bytes) => {
        expect(kindOf(bytes)).toEqual(expect.any(String));
      }),
      { numRuns: 3_000 },
    );
  });

  it('finds a script wherever it stands among other things', () => {
    const around = fc.array(pieces, { maxLength: 20 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(around, around, (before, after) => {
        const bytes = Buffer.from(`%PDF-1.7\n${before} ${script} ${after}`, 'latin1');
        expect(kindOf(bytes)).not.toBe('ok');
      }),
      { numRuns: 2_000 },
    );
  });

  it('takes time in proportion to the file, also for one made to be slow', () => {
    for (const piece of [
      '/',
      '1 ',
      '1 0 ',
      '/Type ',
      'stream\n',
      '/#',
      '(',
      '%',
      'stream\nx\x9c',
      'endobj',
      'obj<<',
      'obj<<(',
      'obj<<%',
      'obj%',
      'obj\0',
      'obj<</First/Filter\0',
      'obj<<>>%',
    ]) {
      const bytes = Buffer.from(`%PDF-1.7\n${piece.repeat(1_000_000 / piece.length)}`, 'latin1');
      expect(kindOf(bytes)).toEqual(expect.any(String));
    }
  });

  it.each([
    ['/Plain/Next', ['Plain', 'Next']],
    ['/J#61va (/In) %/Out', ['Java', 'In', 'Out']],
    ['/#', ['#']],
    ['//x', ['', 'x']],
  ])('reads the names of %s', (text, names) => {
    expect([...findNames(text)].map(({ name }) => name)).toEqual(names);
  });
});
