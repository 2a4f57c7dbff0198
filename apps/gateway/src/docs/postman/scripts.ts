import type { JsonObject } from '../openapi/json.ts';

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

/** Identifiers that an answer gives are what later calls send. */
export function afterEach(variables: readonly string[]): JsonObject {
  return event(
    'test',
    `
const type = pm.response.headers.get('content-type') || '';
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
};

export function afterOperation(operationId: string, variables: readonly string[]): JsonObject | undefined {
  const [variable = '', field = ''] = renamed[operationId] ?? [];
  if (!variables.includes(variable)) return undefined;
  return event(
    'test',
    `if (pm.response.code === 200) pm.collectionVariables.set('${variable}', pm.response.json().${field});`,
  );
}
