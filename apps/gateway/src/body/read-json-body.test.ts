import { AppError } from '@rubrica/service';
import { expect, test } from 'vitest';
import type { BodyPlan } from './body.ts';
import { parseBody } from './read-json-body.ts';

const plan: BodyPlan = {
  maxBytes: 1_000,
  maxFieldBytes: 200,
  maxFileBytes: 10,
  files: ['scan', 'evidences[].evidenceFile'],
};
const parse = (value: unknown) => parseBody(Buffer.from(JSON.stringify(value)), plan);
const refusal = (value: unknown) => {
  try {
    parse(value);
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
  return 'taken';
};

test('files are taken out by their place, all else stays', () => {
  const { fields, files } = parse({
    a: 1,
    scan: 'AQID',
    evidences: [{ evidenceFile: [1], kind: 'x' }, 'y', {}],
  });
  expect(Object.fromEntries(files)).toEqual({
    scan: { kind: 'bytes', bytes: Buffer.from([1, 2, 3]) },
    'evidences[0].evidenceFile': { kind: 'bytes', bytes: Buffer.from([1]) },
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
  expect(refusal({ evidenceFile: 'x'.repeat(300) })).toBe('BODY_TOO_LARGE');
  expect(refusal({ scan: { a: 'x'.repeat(300) } })).toBe('BODY_TOO_LARGE');
});

test('fields are measured in bytes, keys included, files left out', () => {
  expect(refusal({ scan: 'A'.repeat(13) })).toBe('taken');
  expect(refusal({ a: 'ñ'.repeat(95) })).toBe('taken');
  expect(refusal({ a: 'ñ'.repeat(100) })).toBe('BODY_TOO_LARGE');
  expect(refusal({ ['x'.repeat(300)]: 1 })).toBe('BODY_TOO_LARGE');
  expect(refusal({ a: Array.from({ length: 100 }, () => 1) })).toBe('BODY_TOO_LARGE');
});

test('keys that reach for a prototype are refused at any depth, however they are spelt', () => {
  for (const text of [
    '{"__proto__":1}',
    '{"a":[{"\\u005f_proto__":{}}]}',
    '{"evidences":[{"constructor":{"prototype":{}}}]}',
  ]) {
    expect(() => parseBody(Buffer.from(text), plan)).toThrow('BODY_MALFORMED');
  }
  expect(refusal({ constructor: 'ACME builders' })).toBe('taken');
});
