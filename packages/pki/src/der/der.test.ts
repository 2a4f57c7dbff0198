import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readIntegerBytes, readNamedBits, readNode, readOid, readSafely } from './read.ts';
import { readTime } from './text.ts';
import * as der from './write.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

describe('DER writer', () => {
  it('writes lengths in their shortest form', () => {
    expect(hex(der.octetString(new Uint8Array(127)).subarray(0, 2))).toBe('047f');
    expect(hex(der.octetString(new Uint8Array(128)).subarray(0, 3))).toBe('048180');
    expect(hex(der.octetString(new Uint8Array(256)).subarray(0, 4))).toBe('04820100');
  });

  it('keeps an unsigned number positive and without needless zeros', () => {
    expect(hex(der.unsignedInteger(Buffer.from('0080', 'hex')))).toBe('02020080');
    expect(hex(der.unsignedInteger(Buffer.from('00007f', 'hex')))).toBe('02017f');
    expect(hex(der.integer(0))).toBe('020100');
    expect(hex(der.integer(2048))).toBe('02020800');
  });

  it('drops trailing zero bits of named bits', () => {
    expect(hex(der.namedBits([0, 1]))).toBe('030206c0');
    expect(hex(der.namedBits([5, 6]))).toBe('03020106');
    expect(hex(der.namedBits([8]))).toBe('0303070080');
  });

  it('orders the members of a SET OF', () => {
    expect(hex(der.encodeSet(der.integer(5), der.integer(1)))).toBe('3106020101020105');
  });

  it.each(['1.2.840.113549.1.1.11', '2.5.4.97', '2.999.3', '0.4.0.194121.1.1', '2.16.840.1.101.3.4.2.1'])(
    'writes %s so that it reads back',
    (dotted) => {
      expect(readOid(readNode(der.oid(dotted)))).toBe(dotted);
    },
  );

  it('writes arcs of any length so that they read back, also those that no number holds', () => {
    const arc = fc
      .integer({ min: 0, max: 128 })
      .chain((bits) => fc.bigInt({ min: 0n, max: 1n << BigInt(bits) }));
    fc.assert(
      fc.property(arc, fc.array(arc, { maxLength: 2 }), (second, rest) => {
        const dotted = [2n, second, ...rest].join('.');
        expect(readOid(readNode(der.oid(dotted)))).toBe(dotted);
      }),
    );
  });

  it.each(['1', '3.1', '1.40', '1.2.', '1..2', '01.2', 'a.b', ''])(
    'refuses "%s" as an identifier',
    (text) => {
      expect(() => der.oid(text)).toThrow(RangeError);
    },
  );

  it('writes UTCTime to the end of 2049 and GeneralizedTime from 2050', () => {
    expect(Buffer.from(der.certificateTime(new Date('2049-12-31T23:59:59Z'))).toString('latin1')).toBe(
      '\x17\x0d491231235959Z',
    );
    expect(Buffer.from(der.certificateTime(new Date('2050-01-01T00:00:00Z'))).toString('latin1')).toBe(
      '\x18\x0f20500101000000Z',
    );
  });
});

describe('DER reader', () => {
  it.each([
    ['an indefinite length', '3080'],
    ['a length longer than needed', '04810100'],
    ['a length past the end', '0402ff'],
    ['bytes after the value', '050000'],
    ['a member that reaches past its parent', '30030403ff'],
    ['a high tag number', '1f8100'],
    ['nothing', ''],
  ])('refuses %s', (_, text) => {
    expect(readSafely(() => readNode(Buffer.from(text, 'hex')))).toMatchObject({ ok: false });
  });

  it('refuses endless nesting without exhausting the stack', () => {
    let nested: Uint8Array = der.nullValue();
    for (let depth = 0; depth < 200; depth++) nested = der.sequence(nested);
    expect(readSafely(() => readNode(nested))).toMatchObject({
      ok: false,
      error: { reason: 'nested too deeply' },
    });
  });

  it('refuses a multitude of elements before it fills the memory', () => {
    const crowd = der.sequence(new Uint8Array(Buffer.alloc(200_000, '0500', 'hex')));
    expect(readSafely(() => readNode(crowd))).toMatchObject({ ok: false });
  });

  it('refuses integers with padding', () => {
    expect(readSafely(() => readIntegerBytes(readNode(Buffer.from('0202007f', 'hex'))))).toMatchObject({
      ok: false,
    });
    expect(readSafely(() => readIntegerBytes(readNode(Buffer.from('0202ff80', 'hex'))))).toMatchObject({
      ok: false,
    });
  });

  it('refuses days that do not exist', () => {
    const time = der.tlv(der.tags.utcTime, Buffer.from('270231120000Z'));
    expect(readSafely(() => readTime(readNode(time)))).toMatchObject({ ok: false });
  });

  it('reads named bits as they were written', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 40 })), (bits) => {
        expect(readNamedBits(readNode(der.namedBits(bits)))).toEqual(bits.toSorted((a, b) => a - b));
      }),
    );
  });

  it('answers garbage with a value, never with another exception', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(readSafely(() => readNode(bytes))).toHaveProperty('ok');
      }),
      { numRuns: 5000 },
    );
  });
});
