import { periodSchema } from '@rubrica/contracts/shared/enumerations';
import * as field from '@rubrica/contracts/shared/fields';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { parseFields } from './parse-fields.ts';
import { parseQuery } from './parse-query.ts';

const shape = {
  name: field.name,
  period: periodSchema.optional(),
  email: field.email,
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
