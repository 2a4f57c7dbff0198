import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

/** Creates a complete, valid grey PNG of about `sizeBytes` (at least some 70); incompressible, like photographs. */
export function makePng(sizeBytes = 0): Buffer {
  // A large one is wide as well as high: no photograph is 64 pixels wide and 80,000 high.
  const width = sizeBytes > 400_000 ? 2_000 : 64;
  const rows = Math.max(1, Math.ceil((sizeBytes - 70) / (width + 1)));
  const pixels = randomBytes(rows * (width + 1));
  // Each row starts with its filter: none.
  for (let row = 0; row < rows; row += 1) pixels[row * (width + 1)] = 0;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(rows, 4);
  header[8] = 8;
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(pixels, { level: 0 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** Creates the smallest baseline JPEG, one grey pixel; padded by comment segments to at least `sizeBytes`. */
export function makeJpeg(sizeBytes = 0): Buffer {
  const comments: Buffer[] = [];
  for (let missing = sizeBytes - tinyJpeg.length; missing > 0; missing -= 65_000) {
    const length = Math.min(missing, 65_000);
    const head = Buffer.from([0xff, 0xfe, (length + 2) >> 8, (length + 2) & 0xff]);
    comments.push(head, Buffer.alloc(length, 0x20));
  }
  return Buffer.concat([tinyJpeg.subarray(0, 2), ...comments, tinyJpeg.subarray(2)]);
}

const tinyJpeg = Buffer.from(
  [
    'ffd8ffdb004300',
    'ff'.repeat(64),
    'ffc0000b080001000101011100',
    'ffc40014000100000000000000000000000000000009',
    'ffc40014100100000000000000000000000000000000',
    'ffda0008010100003f00',
    '54dfffd9',
  ].join(''),
  'hex',
);

/**
 * Creates a PDF of one empty page with a correct cross-reference table; padded by a comment to at least `sizeBytes`.
 */
export function makePdf(sizeBytes = 0): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>',
  ];
  let text = '%PDF-1.4\n';
  const offsets: string[] = [];
  objects.forEach((object, index) => {
    offsets.push(`${String(text.length).padStart(10, '0')} 00000 n \n`);
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
  });
  text += `%${' '.repeat(Math.max(0, sizeBytes - text.length - 180))}\n`;
  const start = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}
