import { deflateSync } from 'node:zlib';
import { pngChunk } from './files.ts';

export { pngChunk };

export interface PngParts {
  readonly width?: number;
  readonly height?: number;
  /** Compressed pixels; default: as many black pixels as the header says. */
  readonly data?: Uint8Array;
  /** Chunks between header and data. */
  readonly extra?: readonly Buffer[];
}

/** Creates a grey PNG whose header and data may disagree. */
export function makePngFromParts({ width = 1, height = 1, data, extra = [] }: PngParts): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    ...extra,
    pngChunk('IDAT', Buffer.from(data ?? deflateSync(Buffer.alloc(height * (width + 1))))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Creates a PDF of these objects, numbered from 3 after catalogue and page tree; without a cross-reference table. */
export function makePdfFromObjects(objects: readonly (string | Buffer)[], catalog = ''): Buffer {
  const all = [
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    ...objects,
  ];
  const parts = all.flatMap((object, index) => [
    Buffer.from(`${index + 1} 0 obj\n`),
    typeof object === 'string' ? Buffer.from(object, 'latin1') : object,
    Buffer.from('\nendobj\n'),
  ]);
  return Buffer.concat([
    Buffer.from('%PDF-1.7\n'),
    ...parts,
    Buffer.from('trailer\n<< /Root 1 0 R >>\n%%EOF\n'),
  ]);
}

/** Creates objects in a compressed stream (ISO 32000-2, 7.5.7), numbered from 100. */
export function objectStream(
  objects: readonly string[],
  { dictionary, first = '', cut = 0 }: { dictionary?: string; first?: string; cut?: number } = {},
): Buffer {
  const numbers = objects.map((_object, index) => `${100 + index} ${index * 10}`).join(' ');
  const packed = deflateSync(Buffer.from(`${numbers}\n${first}${objects.join('\n')}`, 'latin1'));
  const data = packed.subarray(0, packed.length - cut);
  const entries = dictionary ?? `/Type /ObjStm /N ${objects.length} /First ${numbers.length + 1}`;
  return Buffer.concat([
    Buffer.from(`<< ${entries} /Filter /FlateDecode /Length ${data.length} >>\nstream\n`),
    data,
    Buffer.from('\nendstream'),
  ]);
}
