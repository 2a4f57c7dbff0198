import { expect, test } from 'vitest';
import { decodeDocument } from './decode-document.ts';
import type { DecodePlan } from './decoded.ts';
import { JsonStreamError, type JsonStreamErrorCode } from './errors.ts';

const plan: DecodePlan = {
  maxFieldBytes: 200,
  maxBytesOf: () => 10,
  files: ['scan', 'evidences[].evidenceFile'],
};
function parse(value: unknown) {
  return decodeDocument(Buffer.from(JSON.stringify(value)), plan);
}

function refusal(value: unknown) {
  return refusalOf(JSON.stringify(value));
}

function refusalOf(text: string): JsonStreamErrorCode | 'taken' {
  try {
    decodeDocument(Buffer.from(text), plan);
  } catch (error) {
    if (error instanceof JsonStreamError) return error.code;
    throw error;
  }
  return 'taken';
}

test('files are taken out by their place, all else stays', () => {
  const { fields, files } = parse({
    a: 1,
    scan: 'AQID',
    evidences: [{ evidenceFile: [1], kind: 'x' }, 'y', {}],
  });
  expect(Object.fromEntries(files)).toEqual({
    scan: { kind: 'file', file: Buffer.from([1, 2, 3]) },
    'evidences[0].evidenceFile': { kind: 'file', file: Buffer.from([1]) },
  });
  expect(fields).toEqual({
    a: 1,
    scan: undefined,
    evidences: [{ evidenceFile: undefined, kind: 'x' }, 'y', {}],
  });
});

test('an empty or blank file field and null count as absent', () => {
  expect(parse({ scan: '', evidences: [{ evidenceFile: ' \n' }, { evidenceFile: null }] }).files.size).toBe(
    0,
  );
});

test('what is no file counts among the fields, and so does a file field of another place', () => {
  expect(parse({ scan: { a: 1 } }).files.get('scan')).toEqual({ kind: 'not-a-file' });
  expect(refusal({ evidenceFile: 'x'.repeat(300) })).toBe('FIELDS_TOO_LARGE');
  expect(refusal({ scan: { a: 'x'.repeat(300) } })).toBe('FIELDS_TOO_LARGE');
});

test('fields are measured in bytes, keys included, files left out', () => {
  expect(refusal({ scan: 'A'.repeat(13) })).toBe('taken');
  expect(refusal({ a: 'ñ'.repeat(95) })).toBe('taken');
  expect(refusal({ a: 'ñ'.repeat(100) })).toBe('FIELDS_TOO_LARGE');
  expect(refusal({ ['x'.repeat(300)]: 1 })).toBe('FIELDS_TOO_LARGE');
  expect(refusal({ a: Array.from({ length: 100 }, () => 1) })).toBe('FIELDS_TOO_LARGE');
});

test('keys that reach for a prototype are refused at any depth, however they are spelt', () => {
  for (const text of [
    '{"__proto__":1}',
    '{"a":[{"\\u005f_proto__":{}}]}',
    '{"evidences":[{"constructor":{"prototype":{}}}]}',
  ]) {
    expect(refusalOf(text)).toBe('FORBIDDEN_NAME');
  }
  expect(refusal({ constructor: 'ACME builders' })).toBe('taken');
});

test('depth and crowds are bounded, but for a file’s integers', () => {
  const inDepth = (depth: number) => `${'{"a":['.repeat(depth / 2)}${']}'.repeat(depth / 2)}`;
  const large = { ...plan, maxFieldBytes: 10_000_000, maxBytesOf: () => 1_000_000 };
  const outcome = (text: string) => {
    try {
      return decodeDocument(Buffer.from(text), large).files.get('scan')?.kind ?? 'taken';
    } catch (error) {
      return (error as JsonStreamError).code;
    }
  };
  expect(outcome(inDepth(32))).toBe('taken');
  expect(outcome(inDepth(34))).toBe('TOO_COMPLEX');
  expect(outcome(`{"scan":[${'-128, '.repeat(500_000)}7]}`)).toBe('file');
  for (const item of ['null', '""', '1.5']) {
    expect(outcome(`{"a":[${`${item},`.repeat(100_001)}1]}`)).toBe('TOO_COMPLEX');
    expect(outcome(`{"scan":[${`${item},`.repeat(100_001)}1]}`)).toBe('TOO_COMPLEX');
  }
});

test('a file is refused at the first block beyond its limit, without reading on', () => {
  for (const text of [`{"scan":[${'1,'.repeat(100_000)}`, `{"scan":"${'A'.repeat(100_000)}`]) {
    expect(refusalOf(text)).toBe('FILE_TOO_LARGE');
  }
});

test.each([
  ['', 'EMPTY'],
  [' ', 'NOT_JSON'],
  ['\ufeff', 'NOT_JSON'],
  ['{"a":1', 'NOT_JSON'],
  ['{"a":1}x', 'NOT_JSON'],
  ['[]', 'NOT_AN_OBJECT'],
  ['"a"', 'NOT_AN_OBJECT'],
  ['7', 'NOT_AN_OBJECT'],
  ['null', 'NOT_AN_OBJECT'],
  ['\ufeff\ufeff{}', 'NOT_JSON'],
])('%j is refused as %s', (text, code) => {
  expect(refusalOf(text)).toBe(code);
});

test('an error says which file and which limit, and quotes nothing', () => {
  const secret = { scan: 'SECRET'.repeat(10_000) };
  expect(() => parse(secret)).toThrow(
    expect.objectContaining({ place: 'scan', maxBytes: 10, message: 'A file is too large' }),
  );
});
