import { expect, test } from 'vitest';
import { isDatabaseUnavailable, isUniqueViolation } from './errors.ts';

const fault = (fields: object, message = 'x') => Object.assign(new Error(message), fields);

test.each([
  fault({ code: '57P01' }),
  fault({ code: '08006' }),
  fault({ code: '53300' }),
  fault({ code: '53100' }),
  fault({ code: '58030' }),
  fault({ code: '25006' }),
  fault({ code: 'ECONNREFUSED' }),
  fault({ code: 'EPIPE' }),
  fault({}, 'Connection terminated unexpectedly'),
  fault({}, 'timeout exceeded when trying to connect'),
  new Error('wrapped', { cause: fault({ code: '57P03' }) }),
  new AggregateError([fault({ code: 'ECONNREFUSED' })]),
])('a lost or refused connection is told apart: %s', (error) => {
  expect(isDatabaseUnavailable(error)).toBe(true);
});

test.each([
  fault({ code: '23505' }),
  fault({ code: '57014' }),
  fault({ code: '42501' }),
  new Error('other'),
  'text',
  undefined,
])('a fault of the statement is not one of the connection: %s', (error) => {
  expect(isDatabaseUnavailable(error)).toBe(false);
});

test('a unique violation is recognised by constraint, through the wrapping of the ORM', () => {
  const error = new Error('wrapped', { cause: fault({ code: '23505', constraint: 'requests_pkey' }) });
  expect(isUniqueViolation(error)).toBe(true);
  expect(isUniqueViolation(error, 'requests_pkey')).toBe(true);
  expect(isUniqueViolation(error, 'other_key')).toBe(false);
});
