import { expect, test } from 'vitest';
import { readClientCredentials } from './client-credentials.ts';
import { OAuthFault } from './oauth-fault.ts';

function basic(text: string) {
  return `Basic ${Buffer.from(text).toString('base64')}`;
}

function codeOf(authorization: string | undefined, body = {}) {
  try {
    readClientCredentials(authorization, body);
  } catch (error) {
    if (error instanceof OAuthFault) return error.oauthCode;
    throw error;
  }
  return 'taken';
}

test('id and secret come from the header or from the body', () => {
  const expected = { clientId: 'id', clientSecret: 's:e c+ret' };
  expect(readClientCredentials(undefined, { client_id: 'id', client_secret: 's:e c+ret' })).toEqual(expected);
  expect(readClientCredentials(basic('id:s:e%20c%2Bret'), {})).toEqual(expected);
  expect(readClientCredentials(basic('id:s:e+c%2Bret'), { client_id: 'id' })).toEqual(expected);
});

test('a secret with a stray percent sign is taken as it is', () => {
  expect(readClientCredentials(basic('id:100%'), {})).toEqual({ clientId: 'id', clientSecret: '100%' });
});

test.each([
  [undefined, {}, 'invalid_client'],
  [undefined, { client_id: 'id' }, 'invalid_client'],
  ['Basic !!!', {}, 'invalid_client'],
  [basic('no colon'), {}, 'invalid_client'],
  [basic(':secret'), {}, 'invalid_client'],
  ['Bearer abc', {}, 'invalid_client'],
  [basic('id:s'), { client_secret: 's' }, 'invalid_request'],
  [basic('id:s'), { client_id: 'other' }, 'invalid_request'],
])('%s with %j is %s', (authorization, body, code) => {
  expect(codeOf(authorization, body)).toBe(code);
});
