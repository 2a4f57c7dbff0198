import { buildDocsSite } from '@rubrica/build';
import type { errorCatalogue } from '@rubrica/contracts/shared/errors';
import { disposeAfterAll } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { testGateway } from './support/gateway.ts';
import { call, rawExchange } from './support/http.ts';

const baseUrl = 'http://gateway.localhost';
const gateway = await disposeAfterAll(testGateway({ DOCS_SITE: await buildDocsSite() }));
const token = await gateway.token();

interface ErrorObject {
  readonly code: keyof typeof errorCatalogue;
  readonly docUrl: string;
  readonly message: string;
}

describe('every error object names the address of its code in the documentation', () => {
  it.each([
    ['unknown address', '/nowhere', {}, 'ROUTE_NOT_FOUND'],
    ['other method', '/gateway/usage', { method: 'DELETE' }, 'METHOD_NOT_ALLOWED'],
    ['no token', '/gateway/usage', {}, 'UNAUTHENTICATED'],
    ['token endpoint', '/oauth/token', { body: new URLSearchParams({ grant_type: 'x' }) }, 'FIELD_INVALID'],
  ] as const)('%s', async (_name, path, options, code) => {
    for (const language of ['en', 'es']) {
      const answer = await call(gateway.url + path, { ...options, headers: { 'accept-language': language } });
      const error = answer.json<ErrorObject>();
      expect([error.code, error.docUrl]).toEqual([code, `${baseUrl}/docs/${language}/errors#${code}`]);
      const page = await call(`${gateway.url}/docs/${language}/errors`);
      expect(page.text).toContain(`id="${code}"`);
    }
  });

  it('also what is no HTTP', async () => {
    const answer = await rawExchange(gateway.port, 'nonsense\r\n\r\n', (text) => text.includes('}'));
    expect(answer).toContain(`"docUrl":"${baseUrl}/docs/en/errors#BODY_MALFORMED"`);
  });
});

it('the token endpoint refuses JSON with the media type that it takes', async () => {
  const answer = await call(`${gateway.url}/oauth/token`, {
    body: JSON.stringify({ grant_type: 'client_credentials', client_id: 'a', client_secret: 'b' }),
    headers: { 'content-type': 'application/json' },
  });
  expect([answer.status, answer.json<ErrorObject>()]).toMatchObject([
    415,
    { code: 'UNSUPPORTED_MEDIA_TYPE', error: 'invalid_request' },
  ]);
  expect(answer.json<ErrorObject>().message).toContain('application/x-www-form-urlencoded');
});

interface Warnings {
  readonly warnings: readonly { readonly code: string; readonly field?: string; readonly message: string }[];
}

describe('a dry run warns of what a registration ignores', () => {
  const ask = async (body: object, language = 'en', path = '/collector/simplified/request') => {
    const answer = await call(`${gateway.url}${path}?dryRun=true`, {
      token,
      body,
      headers: { 'accept-language': language },
    });
    expect(answer.text).toContain('"warnings"');
    return answer.json<Warnings>().warnings;
  };
  const simplified = {
    referenceTransaction: 'DRY-1',
    identificationNumber: '2450010000',
    fingerCode: 'V4333V2222',
    emailAddress: 'maria@example.com',
    cellphoneNumber: '+593991234567',
    period: 'ONE_YEAR',
  };

  it('a field that it does not know, with the nearest name that it knows', async () => {
    expect(await ask({ ...simplified, celphoneNumber: '1', colour: 'red' })).toEqual([
      {
        code: 'UNKNOWN_FIELD',
        field: 'celphoneNumber',
        message:
          'celphoneNumber is not a field of this operation and is ignored; did you mean cellphoneNumber?',
      },
      {
        code: 'UNKNOWN_FIELD',
        field: 'colour',
        message: 'colour is not a field of this operation and is ignored',
      },
    ]);
    const [spanish] = await ask({ ...simplified, celphoneNumber: '1' }, 'es');
    expect(spanish?.message).toBe(
      'celphoneNumber no es un campo de esta operación y se ignora; ¿quiso decir cellphoneNumber?',
    );
    expect(await ask(simplified)).toEqual([]);
  });

  const transactional = {
    ...{ referenceTransaction: 'DRY-2', identificationNumber: '2450010000', fingerCode: 'V4333V2222' },
    ...{ applicantName: 'María', applicantLastName: 'Ñúñez', email: 'maria@example.com' },
    ...{ cellphoneNumber: '+593991234567', address: 'Av. Amazonas', documentType: 'CI' },
    applicationType: 'NATURAL_PERSON',
  };

  it('a city that is in no list, and a field of another name beside it', async () => {
    const path = '/collector/transactional/request';
    expect(await ask({ ...transactional, city: 'quito' }, 'en', path)).toEqual([]);
    expect(await ask({ ...transactional, city: 'Kito' }, 'en', path)).toMatchObject([
      { code: 'UNKNOWN_CITY', field: 'city' },
    ]);
    const misspelt = { ...transactional, city: 'Quito', aplicantSecondLastName: 'Paz' };
    expect(await ask(misspelt, 'en', path)).toMatchObject([
      { field: 'aplicantSecondLastName', message: expect.stringContaining('applicantSecondLastName') },
    ]);
  });
});
