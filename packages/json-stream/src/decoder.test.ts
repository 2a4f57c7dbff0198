import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collectingSink } from './decode-document.ts';
import { decodeText } from './decode-text.ts';
import type { Decoded, DecodePlan, FileValue } from './decoded.ts';
import { createJsonDecoder } from './decoder.ts';
import { JsonStreamError } from './errors.ts';
import { judgeFields } from './judge-fields.ts';
import { takeFiles } from './take-files.ts';

const plan: DecodePlan = {
  maxFieldBytes: 64 * 1024,
  maxBytesOf: () => 1_000_000,
  files: ['scan', 'evidences[].evidenceFile'],
};
/** The runtime's parser has no words for why. */
const refused = 'refused';

/** Takes the document apart as it comes in pieces that end at `cuts`. */
function decode(bytes: Buffer, cuts: readonly number[] = []): Decoded<Buffer> | string {
  const decoder = createJsonDecoder(plan, collectingSink);
  try {
    let from = 0;
    for (const to of [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].toSorted(
      (a, b) => a - b,
    )) {
      const piece = Buffer.from(bytes.subarray(from, to));
      decoder.push(piece);
      // What was pushed is not looked at again: its memory is given back.
      piece.fill('#');
      from = to;
    }
    return decoder.end();
  } catch (error) {
    if (error instanceof JsonStreamError && !error.code.endsWith('_TOO_LARGE')) return refused;
    throw error;
  }
}

/** What differs is shown; the quick comparison is for the many that do not. */
function assertSame(actual: unknown, whole: unknown): void {
  if (!isDeepStrictEqual(actual, whole)) expect(actual).toEqual(whole);
}

/** What the runtime's own parser makes of it. */
function expected(bytes: Buffer): Decoded<Buffer> | string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const fields = JSON.parse(text) as Record<string, unknown>;
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return refused;
    const files = takeFiles(fields, plan, decodeWhole);
    return judgeFields(fields, plan.maxFieldBytes) === 'fine' ? { fields, files } : refused;
  } catch {
    return refused;
  }
}

function decodeWhole(value: string | readonly unknown[]): FileValue<Buffer> | undefined {
  if (typeof value === 'string' && value.trim() === '') return undefined;
  const bytes = typeof value === 'string' ? decodeText(value) : bytesOf(value);
  return bytes === undefined ? { kind: 'undecodable' } : { kind: 'file', file: bytes };
}

function bytesOf(values: readonly unknown[]): Buffer | undefined {
  const isByte = (value: unknown) =>
    Number.isInteger(value) && (value as number) >= -128 && (value as number) <= 255;
  return values.length > 0 && values.every(isByte) ? Buffer.from(values as number[]) : undefined;
}

const space = fc.constantFrom('', '', '', ' ', '\n', '\t \r');
const character = fc.constantFrom(
  ...['a', 'Z', '0', '/', '+', '=', ' ', '-', 'ñ', '€', '😀', ',', ':', '{', ']', '\u007f'],
  ...['\\"', '\\\\', '\\/', '\\n', '\\b', '\\u0041', '\\u002F', '\\ud83d\\ude00', '\\ud800', '\\u0000'],
);
const string = fc.array(character, { maxLength: 12 }).map((parts) => `"${parts.join('')}"`);
const base64 = fc
  .tuple(fc.uint8Array({ maxLength: 40 }), fc.constantFrom('base64', 'base64url'), fc.nat(3))
  .map(([bytes, encoding, form]) => {
    const text = Buffer.from(bytes).toString(encoding as BufferEncoding);
    if (form === 1) return `"data:image/png;base64,${text}"`;
    return form === 2 ? `"${text.replace(/(.{4})/g, '$1\\r\\n').replaceAll('/', '\\/')}"` : `"${text}"`;
  });
const oddNumber = fc.oneof(
  fc.constantFrom(
    ...['0', '-0', '-128', '-129', '255', '256', '1.0', '1e2', '1E+2', '2.5e1', '1e-1', '1000e-1', '0.5'],
    ...['12345678901234567890', '1e400', '1.000000000000000000000000000001'],
  ),
  fc.double().map((value) => JSON.stringify(value)),
);
const broken = fc.constantFrom(
  '-',
  '01',
  '1.',
  '.5',
  '1e',
  '+1',
  '-01',
  '1e+',
  'NaN',
  'nul',
  '[',
  '{"a"}',
  '',
);
const byte = fc.integer({ min: -128, max: 255 }).map(String);
const number = fc.oneof({ weight: 6, arbitrary: byte }, oddNumber);
const scalar = fc.oneof(
  { weight: 40, arbitrary: fc.oneof(number, string, base64, fc.constantFrom('true', 'false', 'null')) },
  broken,
);
function spaced(inner: fc.Arbitrary<string>) {
  return fc.tuple(space, inner, space).map((parts) => parts.join(''));
}

function list(item: fc.Arbitrary<string>, maxLength: number) {
  return fc.array(spaced(item), { maxLength }).map((parts) => `[${parts.join(',')}]`);
}

function fields(name: fc.Arbitrary<string>, value: fc.Arbitrary<string>) {
  return fc
    .array(
      fc.tuple(spaced(name), value).map((parts) => parts.join(':')),
      { maxLength: 5 },
    )
    .map((parts) => `{${parts.join(',')}}`);
}

const integers = fc.oneof(
  { weight: 4, arbitrary: list(byte, 40) },
  list(fc.oneof({ weight: 15, arbitrary: byte }, oddNumber), 20),
);
const key = fc.constantFrom('"scan"', '"evidences"', '"evidenceFile"', '"sc\\u0061n"', '"a"', '"ñ"', '""');
const { value } = fc.letrec<Record<'value', string>>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, depthSize: 'medium' },
    spaced(scalar),
    integers,
    list(tie('value'), 5),
    fields(key, tie('value')),
  ),
}));
const file = spaced(fc.oneof({ weight: 4, arbitrary: integers }, { weight: 4, arbitrary: base64 }, value));
const item = fields(fc.constantFrom('"evidenceFile"', '"a"'), file);
const shaped = fc.oneof(
  fc
    .tuple(file, list(fc.oneof({ weight: 5, arbitrary: item }, value), 4))
    .map(([scan, evidences]) => `{"scan":${scan},"evidences":${evidences}}`),
  fields(fc.constantFrom('"scan"', '"evidences"', '"a"'), fc.oneof(file, list(item, 3))),
);
const document = fc
  .tuple(
    fc.constantFrom('', '', '', '\ufeff'),
    spaced(fc.oneof({ weight: 9, arbitrary: shaped }, { weight: 3, arbitrary: fields(key, value) }, value)),
  )
  .map((parts) => parts.join(''));

/** Most are left as they are; some lose, gain or change bytes, also in the middle of a character. */
const mutation = fc.tuple(
  fc.nat(),
  fc.constantFrom('drop', 'put', 'set'),
  fc.constantFrom(...'"\\,:[]{}0-e \n\u0001a', 0x80, 0xc3, 0xff, 0xed),
);
function mutated(text: string, mutations: readonly (readonly [number, string, string | number])[]): Buffer {
  let bytes = Buffer.from(text);
  for (const [where, how, what] of mutations) {
    const at = where % (bytes.length + 1);
    const put = how === 'drop' ? Buffer.alloc(0) : Buffer.from(typeof what === 'string' ? what : [what]);
    bytes = Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(how === 'put' ? at : at + 1)]);
  }
  return bytes;
}

const manyDocuments = fc.tuple(
  document,
  fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.array(mutation, { minLength: 1, maxLength: 3 })),
  fc.array(fc.nat(), { maxLength: 4 }),
);

describe('a document that arrives in pieces', () => {
  it('is what the runtime’s own parser makes of it, wherever the pieces end', () => {
    fc.assert(
      fc.property(manyDocuments, ([text, mutations, cuts]) => {
        const bytes = mutated(text, mutations);
        const whole = expected(bytes);
        assertSame(decode(bytes, cuts), whole);
        assertSame(decode(bytes, [...bytes.keys()]), whole);
      }),
      { numRuns: 20_000 },
    );
  }, 600_000);

  it('may hold long files, sound or not, broken into lines or with escapes, and ends like the parser’s', () => {
    const unit = fc.constantFrom('AAAA', 'ab-_', 'z9+\\/', 'QUJD', '\\r\\n', '\\u0041BCD', 'A A\\tBC');
    const flaw = fc.constantFrom('', '', '', '', '=', '%', 'ñ', '\n', '\\q', '\\u00zz', '"', '😀');
    const ending = fc.constantFrom('', 'AA==', 'AAA=', 'AAA', 'A', '=');
    const prefix = fc.constantFrom(
      '',
      'data:image/png;base64,',
      ' data:;base64,',
      'data:text/plain,',
      'data:,',
    );
    const long = fc.tuple(
      fc.array(unit, { minLength: 20, maxLength: 60 }),
      fc.integer({ min: 30, max: 80 }),
      flaw,
      ending,
      prefix,
    );
    fc.assert(
      fc.property(long, fc.array(fc.nat(), { maxLength: 6 }), ([units, times, bad, end, start], cuts) => {
        const body = units.join('').repeat(times);
        const text = `{"a":1,"scan":"${start}${body}${bad}${units.join('')}${end}","b":"c"}`;
        const bytes = Buffer.from(text);
        assertSame(decode(bytes, cuts), expected(bytes));
      }),
      { numRuns: 1_000 },
    );
  });

  it('holds no control character, neither before nor after the base64 of a long file', () => {
    const file = 'QUJD'.repeat(5_000);
    const documentOf = (text: string) => Buffer.from(JSON.stringify({ scan: '?' }).replace('?', text));
    const texts = [`data:image/\u0001png;base64,${file}`, `${file}\u0001`, `\n${file}`, `${file}\n${file}`];
    for (const bytes of texts.map(documentOf))
      for (const cuts of [[], [9_000], [12, 15_000]]) expect(decode(bytes, cuts)).toBe(refused);
    expect(decode(documentOf(`data:image/png;base64,${file}`))).not.toBe(refused);
  });

  it('may hold long arrays with anything among their integers', () => {
    const odd = fc.constantFrom(
      '1.0',
      '1e2',
      '-0',
      '256',
      '"x"',
      '[1]',
      '{"a":[2]}',
      'null',
      '01',
      '',
      '-',
      ' 7 ',
      '\n8',
    );
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -128, max: 255 }), { minLength: 1, maxLength: 300 }),
        fc.integer({ min: 1, max: 400 }),
        fc.option(fc.tuple(fc.nat(), odd)),
        fc.constantFrom(',', ', ', ',\n  '),
        fc.array(fc.nat(), { maxLength: 6 }),
        (values, times, flaw, comma, cuts) => {
          const all = Array.from({ length: times }, () => values.map(String)).flat();
          if (flaw !== null) all[flaw[0] % all.length] = flaw[1];
          const bytes = Buffer.from(`{"evidences":[{},{"evidenceFile":[${all.join(comma)}]}],"b":[1,2]}`);
          assertSame(decode(bytes, cuts), expected(bytes));
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('a refusal', () => {
  const refusalOf = (pieces: readonly Buffer[]) => {
    const decoder = createJsonDecoder(plan, collectingSink);
    try {
      for (const piece of pieces) decoder.push(piece);
      decoder.end();
    } catch (error) {
      const { code, octet, isIncomplete } = error as JsonStreamError;
      return { code, octet, isIncomplete };
    }
    return undefined;
  };
  const bytes = (text: string) => Buffer.from(text);

  it.each([
    ['a comma before the end', '{"a":1,}', 8],
    ['a single quote', "{'a':1}", 2],
    ['a line end in a text', '{"a":"x\ny"}', 8],
    ['an unknown escape', '{"a":"\\x"}', 8],
    ['an unknown escape after others', '{"a":"b\\n\\u0041\\x\\n"}', 17],
    ['an escape with too few digits', '{"a":"\\n\\u00g1"}', 13],
    ['a line end after an escape', '{"a":"\\tx\ny"}', 10],
    ['a second value', '{} x', 4],
    ['after a mark', '\ufeff{]', 5],
  ])('names the octet: %s', (_name, text, octet) => {
    const whole = bytes(text);
    const expected = { code: 'NOT_JSON', octet, isIncomplete: false };
    expect(refusalOf([whole])).toEqual(expected);
    expect(refusalOf([...whole].map((byte) => Buffer.of(byte)))).toEqual(expected);
  });

  it('names the octet that is no UTF-8', () => {
    const latin1 = Buffer.from('{"a":"Mu\u00f1oz"}', 'latin1');
    expect(refusalOf([latin1])).toMatchObject({ code: 'NOT_UTF8', octet: 10 });
  });

  it('says that the document ends too soon, and where', () => {
    expect(refusalOf([bytes('{"a":"b"')])).toEqual({ code: 'NOT_JSON', octet: 8, isIncomplete: true });
  });

  it.each(['utf16le', 'swapped', 'marked'])('names UTF-16: %s', (kind) => {
    const little = Buffer.from(kind === 'marked' ? '\ufeff{"a":1}' : '{"a":1}', 'utf16le');
    expect(refusalOf([kind === 'swapped' ? little.swap16() : little])).toMatchObject({ code: 'UTF_16' });
  });
});
