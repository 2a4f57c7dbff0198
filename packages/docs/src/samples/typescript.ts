import { sdkMethods } from '../content/sdk-methods.ts';
import { literal, type SampleCall } from './sample.ts';

/** Writes a call with the SDK. Returns `undefined` if the SDK has no method for it. */
export function writeTypescript({
  operationId,
  url,
  params,
  query,
  mediaType,
  body,
}: SampleCall): string | undefined {
  const method = sdkMethods[operationId];
  if (method === undefined) return undefined;
  const isLine = mediaType === 'application/x-ndjson';
  const given = { ...params, ...(body ?? query) };
  const argument = Object.keys(given).length === 0 ? '' : literal(given, { bareKeys: '' }, '  ');
  return `import { createRubrica } from '@rubrica/sdk';

const { CLIENT_ID = '', CLIENT_SECRET = '' } = process.env;
const rubrica = createRubrica({
  baseUrl: '${new URL(url).origin}',
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
});

${isLine ? `for await (const answer of rubrica.${method}([${argument}])) console.log(answer);` : `const answer = await rubrica.${method}(${argument});\nconsole.log(answer);`}`;
}
