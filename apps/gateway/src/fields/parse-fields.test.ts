import { periodSchema } from '@rubrica/contracts/shared/enumerations';
import * as field from '@rubrica/contracts/shared/fields';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { normalizeValue, parseFields, parseQuery } from './parse-fields.ts';

const shape = {
  name: field.name,
  period: periodSchema.optional(),
  email: field.mailbox,
  url: field.url.optional(),
  flag: z.boolean().optional(),
  password: field.password.optional(),
};
function parse(source: Record<string, unknown>) {
  return parseFields(shape, { name: 'A', email: 'a@b.ec', ...source });
}

function faultsOf(source: Record<string, unknown>) {
  return parse(source).faults.map(({ code, message }) => `${code}: ${message}`);
}

test('a wrong field does not hide the values of the others', () => {
  const { values, faults } = parse({ email: 'x', period: 'ONE_YEAR' });
  expect(values).toEqual({ name: 'A', period: 'ONE_YEAR' });
  expect(faults).toHaveLength(1);
});

test.each([
  [{ name: undefined }, 'FIELD_REQUIRED: name is required'],
  [{ name: null }, 'FIELD_REQUIRED: name is required'],
  [{ name: '  ' }, 'FIELD_REQUIRED: name is required'],
  [{ name: 7 }, 'FIELD_INVALID: name must be text'],
  [{ name: 'x'.repeat(101) }, 'FIELD_INVALID: name must be at most 100 characters'],
  [{ name: 'a\u0000b' }, 'FIELD_INVALID: name must not contain control characters'],
  [{ name: 'a\ud800' }, 'FIELD_INVALID: name must not contain control characters'],
  [{ name: `a${'\u0315\u0316'.repeat(16)}` }, 'FIELD_INVALID: name must not contain control characters'],
  [{ url: 'https://a.ec/\u0007' }, 'FIELD_INVALID: url must not contain control characters'],
  [{ url: 'ftp://a.ec' }, 'FIELD_INVALID: url must be an http or https address'],
  [{ email: 'x' }, 'FIELD_INVALID: email must be an e-mail address'],
  [{ flag: 'true' }, 'FIELD_INVALID: flag must be true or false'],
  [{ password: ' short ' }, 'FIELD_INVALID: password must be at least 8 characters'],
  [
    { period: 'SIX_YEARS' },
    'INVALID_PERIOD: period must be one of ONE_WEEK, ONE_MONTH, ONE_YEAR, TWO_YEARS, THREE_YEARS, FOUR_YEARS, FIVE_YEARS; "SIX_YEARS" is not',
  ],
])('%j is told as "%s"', (source, expected) => {
  expect(faultsOf(source)).toEqual([expected]);
});

test('text is normalised, unless a run of marks would make that take seconds', () => {
  expect(normalizeValue('name', `e\u0301${'\u0316'.repeat(29)}`)).toBe(
    `e\u0301${'\u0316'.repeat(29)}`.normalize('NFC'),
  );
  const long = `e${'\u0301\u0316'.repeat(100)}`;
  expect(normalizeValue('name', long)).toBe(long);
  expect(long.normalize('NFC')).not.toBe(long);
});

describe('an e-mail address', () => {
  const messages = (email: string) =>
    faultsOf({ email }).map((one) => one.replace('FIELD_INVALID: email ', ''));
  const atoms = fc.string({
    unit: fc.constantFrom(..."abcXYZ019!#$%&'*+/=?^_`{|}~-"),
    minLength: 1,
    maxLength: 20,
  });
  const locals = fc.array(atoms, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('.').slice(0, 64));
  const labels = fc.stringMatching(/^[a-z0-9](?:[a-z0-9-]{0,8}[a-z0-9])?$/);

  test.each(['a&b@x.ec', 'a/b=c@x.ec', '{x}|y@x.ec', 'a@xn--espaa-rta.ec', 'a@b.xn--p1ai', "o'neil@x.ec"])(
    '%s is taken',
    (email) => {
      expect(messages(email)).toEqual([]);
    },
  );

  test('of any atoms and labels within their bounds is taken', () => {
    const domains = fc.array(labels, { minLength: 1, maxLength: 3 }).map((parts) => `${parts.join('.')}.ec`);
    fc.assert(
      fc.property(locals, domains, (local, domain) => {
        fc.pre(!local.endsWith('.') && local.length + domain.length < 100);
        expect(messages(`${local}@${domain}`)).toEqual([]);
      }),
    );
  });

  test('whose part before the @ is longer than 64 octets is refused, by that reason', () => {
    fc.assert(
      fc.property(fc.integer({ min: 60, max: 90 }), (length) => {
        const expected =
          length <= 64 ? [] : ['must have at most 64 characters before the @ (RFC 5321 §4.5.3.1)'];
        expect(messages(`${'a'.repeat(length)}@x.ec`)).toEqual(expected);
      }),
    );
  });

  test('with a label longer than 63 octets is refused, by that reason', () => {
    fc.assert(
      fc.property(fc.integer({ min: 60, max: 90 }), (length) => {
        const reason = 'must have at most 63 characters between two dots of its domain (RFC 5321 §4.5.3.1)';
        expect(messages(`a@${'b'.repeat(length)}.ec`)).toEqual(length <= 63 ? [] : [reason]);
      }),
    );
  });

  test('of an internationalised domain is told to use the form that begins with xn--', () => {
    expect(messages('a@españa.ec')).toEqual([
      'must have its internationalised domain in the ASCII form, which begins with xn--',
    ]);
  });

  test.each([
    'a..b@x.ec',
    '.a@x.ec',
    'a.@x.ec',
    'a@-b.ec',
    'a@b-.ec',
    'a@b',
    'a@b.1',
    'a b@x.ec',
    '"a"@x.ec',
    '@x.ec',
  ])('%s is refused', (email) => {
    expect(messages(email)).toEqual(['must be an e-mail address']);
  });
});

test.each(['0x4A', '4A:5B', '4A 5B'])('a serial number is told its form: %s', (serialNumber) => {
  expect(parseFields({ serialNumber: field.serialNumber }, { serialNumber }).faults).toMatchObject([
    { message: expect.stringContaining('hexadecimal without colons or 0x') },
  ]);
});

describe('a date', () => {
  const shapeOfDate = { end: field.dateInput };
  const told = (end: string) => parseFields(shapeOfDate, { end }).faults.map(({ message }) => message);

  test.each([
    '2030-12-31T00:00:00.0000000-05:00',
    '2030-12-31T05:00:00.123456',
    '2030-12-31T05:00:00.123456789Z',
    '2030-12-31T05:00:00.000+0000',
    '2030-12-31T00:00:00-0500',
    '2030-12-31T00:00:00-05',
    '2030-12-31t05:00:00z',
    '2030-12-31 00:00:00.000000',
  ])('%s is taken', (end) => {
    expect(told(end)).toEqual([]);
  });

  test('in no form of ours is told all forms', () => {
    for (const end of ['31/12/2030', '2030-13-01', '2030-12-31T24:00:00', '2030-12-31T00:00:00.1234567890Z'])
      expect(told(end)).toEqual([
        'end must be a date as yyyy-MM-dd, yyyy-MM-dd HH:mm:ss or yyyy-MM-ddTHH:mm:ss, with up to 9 digits of fraction, and with Z, -05, -0500 or -05:00 or without',
      ]);
  });

  test('with the name of a zone, as Java writes it, is told so', () => {
    expect(told('2030-12-31T00:00:00.123456789-05:00[America/Guayaquil]')).toEqual([
      'end must not end with the name of a zone, such as [America/Guayaquil]: send the offset alone, as 2030-12-31T00:00:00-05:00',
    ]);
  });
});

test('texts are trimmed and made NFC, a password never', () => {
  const { values } = parse({ name: ' N\u0303andu\u0301 ', password: ' 1234 567 ' });
  expect(values.name).toBe('Ñandú');
  expect(values.password).toBe(' 1234 567 ');
  // Were the blanks cut away or the signs put together, it would be another password, which opens no file.
  for (const wrong of ['12345678\u0301', '\u00a012345678'])
    expect(parse({ password: wrong }).faults).toMatchObject([{ code: 'FIELD_INVALID', field: 'password' }]);
});

test('only the names of the shape are read, and only own members', () => {
  const inherited = Object.create({ name: 'from the prototype', email: 'a@b.ec' }) as Record<string, unknown>;
  expect(parseFields(shape, inherited).faults.map(({ field: name }) => name)).toEqual(['name', 'email']);
});

test('what a person wrote is not quoted back but for enumerations, and those in part only', () => {
  expect(JSON.stringify(parse({ email: 'secret person' }).faults)).not.toContain('secret');
  const [fault] = parse({ period: 'X'.repeat(5_000) }).faults;
  expect(fault?.message.length).toBeLessThan(200);
});

test('a parameter given twice is a fault, not the first or the last of the two', () => {
  const { values, faults } = parseQuery(shape, { name: ['A', 'B'], email: 'a@b.ec' });
  expect(values).not.toHaveProperty('name');
  expect(faults).toMatchObject([{ code: 'FIELD_INVALID', message: 'name must be given once' }]);
});
