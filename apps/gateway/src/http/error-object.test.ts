import { createFieldText, createText } from '@rubrica/contracts/error-texts/create-text';
import { errorCatalogue, errorCodes, errorObjectSchema } from '@rubrica/contracts/shared/errors';
import { AppError, errorDetail } from '@rubrica/process/errors';
import { expect, test } from 'vitest';
import { toErrorObject } from './error-object.ts';

const situation = {
  path: '/a',
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  language: 'en' as const,
  now: new Date('2026-11-21T00:22:40.999Z'),
  timeZone: 'America/Guayaquil',
  baseUrl: 'https://rubrica.example',
};

test.each(errorCodes)('%s becomes a valid error object in both languages', (code) => {
  for (const language of ['en', 'es'] as const) {
    const body = errorObjectSchema.parse(toErrorObject(new AppError({ code }), { ...situation, language }));
    expect(body).toMatchObject({
      timestamp: '2026-11-20 19:22:40',
      status: errorCatalogue[code].http,
      message: errorCatalogue[code][language],
      messages: [errorCatalogue[code][language]],
      docUrl: `https://rubrica.example/docs/${language}/errors#${code}`,
    });
  }
});

test('composed texts are in the caller’s language; one that nobody knows gives way to the catalogue’s', () => {
  const required = createFieldText('city', createText('field.required'));
  const details = [
    errorDetail('FIELD_REQUIRED', 'city', required),
    errorDetail('PASSWORD_REQUIRED', 'password'),
    // From a peer of another release, whose text is not known here.
    { ...errorDetail('FIELD_INVALID', 'email'), text: { id: 'butterfly' }, message: 'email is a butterfly' },
  ];
  const fault = new AppError({ code: 'FIELD_REQUIRED', text: required, details });
  const body = toErrorObject(fault, { ...situation, language: 'es' });
  expect(body.message).toBe('city es obligatorio');
  expect(body.messages).toEqual([
    'city es obligatorio',
    errorCatalogue.PASSWORD_REQUIRED.es,
    `email: ${errorCatalogue.FIELD_INVALID.es}`,
  ]);
  expect(toErrorObject(fault, situation).messages).toEqual(details.map(({ message }) => message));
});
