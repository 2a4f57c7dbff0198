import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { packBody, unpackBody } from './attachments.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });
const bytes = fc.uint8Array({ maxLength: 40 });
/** Names that mean something to JavaScript, to tRPC or to this module. */
const key = fc.oneof(
  fc.string(),
  fc.constantFrom('__proto__', 'constructor', 'toJSON', 'length', '0', '1', '$attachment', 'result', 'data'),
);
const text = fc.oneof(fc.string(), fc.constantFrom('"$attachment":0', '],[]]', '\u2028', '\ud800'));
const { tree: withBytes } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 3, arbitrary: fc.oneof(bytes, fc.constant(null), fc.boolean(), fc.double(), text) },
    { weight: 1, arbitrary: fc.array(tie('tree'), { maxLength: 4 }) },
    { weight: 1, arbitrary: fc.dictionary(key, tie('tree'), { maxKeys: 4, noNullPrototype: true }) },
  ),
}));

/** What JSON makes of a value, bytes apart. */
function asCarried(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value);
  if (Array.isArray(value)) return value.map(asCarried);
  if (typeof value !== 'object' || value === null) return JSON.parse(JSON.stringify(value));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asCarried(member)]));
}

function carry(value: unknown): unknown {
  const { body, attachments } = packBody(value);
  return unpackBody(body, attachments, utf8);
}

function hasBytes(value: unknown): boolean {
  if (value instanceof Uint8Array) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasBytes);
}

/** A body as anybody may write it. */
function received(json: unknown, behind: string, sizes: string | undefined = String(behind.length)): unknown {
  const body = Buffer.from((typeof json === 'string' ? json : JSON.stringify(json)) + behind);
  return unpackBody(body, sizes, utf8);
}

describe('a body', () => {
  it('brings any JSON with bytes anywhere in it as it was, whatever its keys are', () => {
    fc.assert(
      fc.property(withBytes, (value) => {
        const before = structuredClone(value);
        expect(isDeepStrictEqual(carry(value), asCarried(value))).toBe(true);
        expect(isDeepStrictEqual(value, before)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is the JSON alone where there are no bytes', () => {
    fc.assert(
      fc.property(
        withBytes.filter((value) => !hasBytes(value)),
        (value) => {
          const { body, attachments } = packBody(value);
          expect(Buffer.from(body).toString()).toBe(JSON.stringify(value));
          expect(attachments).toBeUndefined();
        },
      ),
    );
  });

  it('with bytes is JSON, their places, and the bytes', () => {
    const { body, attachments } = packBody({ a: ['x', { file: Buffer.from('abc') }], none: Buffer.alloc(0) });
    const json = '[{"a":["x",{"file":null}],"none":null},[["a",1,"file"],["none"]]]';
    expect(Buffer.from(body).toString()).toBe(`${json}abc`);
    expect(attachments).toBe('3,0');
  });

  it('takes no more bytes than the other end reads', () => {
    const files = (count: number) => Array.from({ length: count }, (_, index) => Buffer.of(index));
    expect(carry(files(32))).toEqual(files(32));
    expect(() => packBody(files(33))).toThrow(TypeError);
  });

  it('leaves what makes its own JSON to that', () => {
    const own = { file: Buffer.from('abc'), toJSON: () => 'own' };
    expect(carry({ own, at: new Date(0) })).toEqual({ own: 'own', at: '1970-01-01T00:00:00.000Z' });
  });

  it.each([undefined, () => 1, Symbol('x')])('is not made of what has no JSON (%s)', (value) => {
    expect(() => packBody(value)).toThrow(TypeError);
  });
});

describe('a body from anybody', () => {
  test.each(['', 'x', '1,', ',1', '-1', '+1', '1.5', '1e1', '0x1', ' 1', '1\n', '1;1', 'NaN', '9999999999'])(
    'is refused when the sizes are %j',
    (sizes) => expect(() => received([null, [[]]], 'x', sizes)).toThrow(TypeError),
  );

  it('never gets bytes from before it, which are of other messages', () => {
    const chunk = Buffer.from('of another client[null,[[]]]xyz');
    const body = chunk.subarray('of another client'.length);
    expect(unpackBody(body, '3', utf8)).toEqual(Buffer.from('xyz'));
    expect(() => unpackBody(body, String(body.length + 3), utf8)).toThrow(TypeError);
  });

  it('is refused when the sizes are more than it holds, or too many', () => {
    expect(received([null, [[]]], 'abc', '3')).toEqual(Buffer.from('abc'));
    for (const sizes of ['4', '999999999', '1,999999999', Array(33).fill('0').join(',')]) {
      const places = sizes.split(',').map((_, index) => [index]);
      const value = places.map(() => null);
      expect(() => received([value, places], 'abc', sizes), sizes).toThrow(Error);
    }
  });

  test.each([
    'null',
    '{}',
    '"x"',
    '[null]',
    '[null,[[]],1]',
    '[null,null]',
    '[null,{"0":[]}]',
    '[null,[]]',
    '[null,[[],[]]]',
    '[null,["x"]]',
    '[null,[{"length":0}]]',
    '[null,[[]]',
    '',
  ])('is refused when it is %s before the bytes', (json) => expect(() => received(json, 'x')).toThrow(Error));

  test.each([
    ['nothing there', {}, ['a']],
    ['not null', { a: 1 }, ['a']],
    ['within a text', { a: 'text' }, ['a', 0]],
    ['the length', { a: [] }, ['a', 'length']],
    ['beyond the end', { a: [null] }, ['a', 1]],
    ['before the beginning', { a: [null] }, ['a', -1]],
    ['between two', { a: [null, null] }, ['a', 0.5]],
    ['the prototype', { a: {} }, ['a', '__proto__']],
    ['beyond the prototype', { a: {} }, ['a', '__proto__', 'toString']],
    ['the prototype of the prototype', { a: {} }, ['a', '__proto__', '__proto__']],
    ['a member of the constructor', { a: {} }, ['a', 'constructor', 'name']],
    ['no key', { a: null }, [null]],
    ['a list as key', { a: null }, [['a']]],
    ['the list of places', { a: null }, ['..', 1]],
  ])('puts bytes nowhere else than where it wrote null: %s', (_what, value, place) => {
    expect(() => received([value, [place]], 'x')).toThrow(TypeError);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it('puts bytes into a place once, and not into other bytes', () => {
    expect(() => received([{ a: null }, [['a'], ['a']]], 'xy', '1,1')).toThrow(TypeError);
    expect(() => received([{ a: null }, [['a'], ['a', 0]]], 'xy', '1,1')).toThrow(TypeError);
  });

  it('may have a key of a prototype, which stays a key', () => {
    const value = received('[{"a":{"__proto__":null}},[["a","__proto__"]]]', 'x');
    const { a } = value as { a: object };
    expect(Object.getPrototypeOf(a)).toBe(Object.prototype);
    expect(Object.getOwnPropertyDescriptor(a, '__proto__')?.value).toEqual(Buffer.from('x'));
  });

  it('has no attachments where no header says so', () => {
    expect(unpackBody(Buffer.from('[null,[[]]]'), undefined, utf8)).toEqual([null, [[]]]);
  });

  it('gives a value or an error, whatever it is', () => {
    const sizes = fc.oneof(fc.string(), fc.array(fc.nat(60), { maxLength: 40 }).map(String));
    const json = fc.oneof(
      fc.json(),
      fc.tuple(fc.jsonValue(), fc.array(fc.array(key))).map((two) => JSON.stringify(two)),
    );
    fc.assert(
      fc.property(json, bytes, sizes, (before, behind, header) => {
        const body = Buffer.concat([Buffer.from(before), behind]);
        try {
          unpackBody(body, header, utf8);
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('nested deeper than the stack is refused like any other', () => {
    const depth = 200_000;
    const deep = '['.repeat(depth) + ']'.repeat(depth);
    expect(() => received(`[${deep},[[0,"x"]]]`, 'x')).toThrow(TypeError);
  });
});

describe('bytes of a message', () => {
  const [large, small] = [Buffer.alloc(40_000, 1), Buffer.alloc(10_000, 2)];
  const { body, attachments } = packBody({ large, small });
  // As the client reads it: somewhere in a buffer of 64 kB.
  const chunk = Buffer.from(new ArrayBuffer(65_536));
  chunk.set(body, 100);
  const message = chunk.subarray(100, 100 + body.length);

  it('are not copied where they are much of what was read', () => {
    const { large } = unpackBody(message, attachments, utf8) as { large: Buffer };
    expect(large.buffer).toBe(chunk.buffer);
    expect(large).toEqual(Buffer.alloc(40_000, 1));
  });

  it('are copied where they would keep much more in memory than they are', () => {
    const { small } = unpackBody(message, attachments, utf8) as { small: Buffer };
    expect(small.buffer.byteLength).toBe(10_000);
    expect(small).toEqual(Buffer.alloc(10_000, 2));
  });
});
