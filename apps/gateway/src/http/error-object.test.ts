import { errorCatalogue, errorCodes, errorObjectSchema } from '@rubrica/contracts/shared/errors';
import { AppError, errorDetail } from '@rubrica/process';
import { expect, test } from 'vitest';
import { toErrorObject } from './error-object.ts';

const situation = {
  path: '/a',
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  language: 'en' as const,
  now: new Date('2026-11-21T00:22:40.999Z'),
  timeZone: 'America/Guayaquil',
};

test.each(errorCodes)('%s becomes a valid error object in both languages', (code) => {
  for (const language of ['en', 'es'] as const) {
    const body = errorObjectSchema.parse(toErrorObject(new AppError({ code }), { ...situation, language }));
    expect(body).toMatchObject({
      timestamp: '2026-11-20 19:22:40',
      status: errorCatalogue[code].http,
      message: errorCatalogue[code][language],
      messages: [errorCatalogue[code][language]],
    });
  }
});

test('a text of its own is kept in every language; generic details are translated', () => {
  const details = [
    errorDetail('FIELD_REQUIRED', 'city', 'city is required'),
    errorDetail('PASSWORD_REQUIRED', 'password'),
  ];
  const fault = new AppError({ code: 'FIELD_REQUIRED', publicMessage: 'city is required', details });
  const body = toErrorObject(fault, { ...situation, language: 'es' });
  expect(body.message).toBe('city is required');
  expect(body.messages).toEqual(['city is required', errorCatalogue.PASSWORD_REQUIRED.es]);
});
