import type { JsonObject } from '@rubrica/openapi/json';
import type { Expectation } from './expectations.ts';

function event(listen: 'prerequest' | 'test', code: string): JsonObject {
  return {
    listen,
    script: { type: 'text/javascript', exec: code.trim().split('\n') },
  };
}

/** Runners do not ask for OAuth tokens by themselves: this does, and keeps the token until a minute before its end. */
export const beforeEach: JsonObject = event(
  'prerequest',
  `
const read = (name) => pm.variables.get(name);
const keep = (name, value) => pm.collectionVariables.set(name, String(value));
if (!read('run')) keep('run', Date.now());
const account = read('baseUrl') + ' ' + read('clientId');
const isCurrent = read('accessTokenOf') === account && Date.now() < Number(read('accessTokenEnds'));
// A token of another client is not sent.
if (!isCurrent) keep('accessToken', '');
if (read('clientId') && !isCurrent) {
  pm.sendRequest(
    {
      url: read('baseUrl') + '/oauth/token',
      method: 'POST',
      header: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: {
        mode: 'urlencoded',
        urlencoded: [
          { key: 'grant_type', value: 'client_credentials' },
          { key: 'client_id', value: read('clientId') },
          { key: 'client_secret', value: read('clientSecret') },
        ],
      },
    },
    (error, response) => {
      if (error || response.code !== 200) {
        console.error('There is no access token: ' + (error || response.text()));
        return;
      }
      const token = response.json();
      keep('accessToken', token.access_token);
      keep('accessTokenOf', account);
      keep('accessTokenEnds', Date.now() + (token.expires_in - 60) * 1000);
    },
  );
}
`,
);

interface Expected {
  /** By the name of the request. */
  readonly expected: Readonly<Record<string, Expectation>>;
  readonly schemas: Readonly<Record<string, JsonObject>>;
}

/**
 * Tests the answer of each request: its status, its form, and that it can be quoted to support. Identifiers that it gives
 * are what later calls send. Scripts of runners know JSON Schema by Ajv 6, to which formats of later drafts are unknown.
 */
export function afterEach(variables: readonly string[], { expected, schemas }: Expected): JsonObject {
  return event(
    'test',
    `
const type = pm.response.headers.get('content-type') || '';
const components = ${JSON.stringify({ schemas })};
const expected = ${JSON.stringify(expected)}[pm.info.requestName] || { 200: null };
const { code } = pm.response;
pm.test('the status is ' + Object.keys(expected).join(' or '), () => {
  if (!(code in expected)) throw new Error('it is ' + code + ': ' + pm.response.text().slice(0, 500));
});
pm.test('the answer has an x-request-id', () => {
  if (!pm.response.headers.get('x-request-id')) throw new Error('it has none');
});
const schema = expected[code];
if (schema) {
  pm.test('the body has the form that is described', () => {
    pm.response.to.have.jsonSchema({ allOf: [schema], components }, { unknownFormats: 'ignore' });
  });
}
if (pm.response.code === 200 && type.startsWith('application/json')) {
  const answer = pm.response.json();
  for (const name of ${JSON.stringify(variables)}) {
    if (typeof answer[name] === 'string') pm.collectionVariables.set(name, answer[name]);
  }
}
`,
  );
}

/** What answers call otherwise than the bodies that send it. */
const renamed: Readonly<Record<string, readonly [variable: string, field: string]>> = {
  activeTerms: ['termsAndConditionsId', 'id'],
  listEvents: ['eventId', "items[0]?.eventId ?? pm.variables.get('eventId')"],
};

export function afterOperation(operationId: string, variables: readonly string[]): JsonObject | undefined {
  const [variable = '', field = ''] = renamed[operationId] ?? [];
  if (!variables.includes(variable)) return undefined;
  return event(
    'test',
    `if (pm.response.code === 200) pm.collectionVariables.set('${variable}', pm.response.json().${field});`,
  );
}
