import { inflateSync } from 'node:zlib';
import { linkedPartnerRequestSchema } from '@rubrica/contracts/rest/linked-partner';
import { simplifiedRequestSchema } from '@rubrica/contracts/rest/simplified';
import { transactionalRequestSchema } from '@rubrica/contracts/rest/transactional';
import { expect, test } from 'vitest';
import { makeJpeg, makePdf, makePng } from './files.ts';
import { makeCedula } from './identity.ts';
import { makeCompanyFields, makeEvidence, makeLinkedPartnerRequest } from './linked-partner-request.ts';
import { makeSimplifiedRequest } from './simplified-request.ts';
import { makeTransactionalRequest } from './transactional-request.ts';

test('a made cédula has a province, a third digit up to 5 and completes the tens, and is never a sandbox case', () => {
  for (const cedula of Array.from({ length: 500 }, makeCedula)) {
    expect(cedula).toMatch(/^(0[1-9]|1\d|2[0-4])[0-5]\d{7}$/);
    const weighed = Array.from(cedula, (digit, index) => Number(digit) * (index % 2 === 0 ? 2 : 1));
    expect(weighed.reduce((sum, value) => sum + (value > 9 ? value - 9 : value), 0) % 10).toBe(0);
    expect(cedula).not.toMatch(/^245000/);
  }
});

test('a made request is one that the contract takes, with and without a company', () => {
  expect(linkedPartnerRequestSchema.safeParse(makeLinkedPartnerRequest()).error).toBeUndefined();
  const company = makeLinkedPartnerRequest(makeCompanyFields());
  expect(linkedPartnerRequestSchema.parse(company).applicationType).toBe('LEGAL_REPRESENTATIVE');
});

test('a made request of a family without files is one that its contract takes', () => {
  expect(transactionalRequestSchema.safeParse(makeTransactionalRequest()).error).toBeUndefined();
  expect(simplifiedRequestSchema.safeParse(makeSimplifiedRequest()).error).toBeUndefined();
});

test('an override of undefined leaves the field out of the JSON', () => {
  const body = JSON.parse(JSON.stringify(makeLinkedPartnerRequest({ password: undefined })));
  expect(body).not.toHaveProperty('password');
  expect(body).toHaveProperty('callbackUrl');
});

test.each([0, 1_000, 40_000, 2_000_000])(
  'a PNG of about %i bytes holds the pixels its header promises',
  (size) => {
    const png = makePng(size);
    const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
    const data = png.subarray(41, 41 + png.readUInt32BE(33));
    expect(inflateSync(data)).toHaveLength(height * (width + 1));
    if (size > 0) expect(Math.abs(png.length - size)).toBeLessThan(Math.max(200, size / 50));
  },
);

test.each([0, 40_000, 200_000])(
  'a JPEG of at least %i bytes is a chain of whole segments up to its scan',
  (size) => {
    const jpeg = makeJpeg(size);
    expect(jpeg.length).toBeGreaterThanOrEqual(size);
    const markers: number[] = [];
    let at = 2;
    while (markers.at(-1) !== 0xda) {
      expect(jpeg[at]).toBe(0xff);
      markers.push(jpeg[at + 1] as number);
      at += 2 + jpeg.readUInt16BE(at + 2);
    }
    expect(markers.filter((marker) => marker !== 0xfe)).toEqual([0xdb, 0xc0, 0xc4, 0xc4, 0xda]);
    expect(jpeg.subarray(-2).toString('hex')).toBe('ffd9');
  },
);

test('the cross-reference table of a PDF points at its objects, whatever its size', () => {
  const text = makePdf(30_000).toString('latin1');
  expect(text.length).toBeGreaterThan(29_500);
  const start = Number(/startxref\n(\d+)/.exec(text)?.[1]);
  expect(text.slice(start, start + 4)).toBe('xref');
  const offsets = [...text.matchAll(/(\d{10}) 00000 n/g)].map(([, offset]) => Number(offset));
  expect(offsets.map((offset) => text.slice(offset, offset + 7))).toEqual(['1 0 obj', '2 0 obj', '3 0 obj']);
});

test('evidence has about the asked size before base64', () => {
  const { evidenceFile } = makeEvidence(40_000);
  expect(Math.abs(Buffer.from(evidenceFile, 'base64').length - 40_000)).toBeLessThan(500);
});
