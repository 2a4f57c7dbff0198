import type { Json, JsonObject } from '@rubrica/openapi/json';
import type { DescribedOperation, Description, Placed } from './collection-types.ts';
import { expectationsOf } from './expectations.ts';
import { credentials, requestItem } from './request-item.ts';
import { afterEach, beforeEach } from './scripts.ts';
import { variablesIn } from './variables.ts';

const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

const usage = `Set the variables \`clientId\` and \`clientSecret\` of this collection; tokens are then asked for and renewed by themselves. What a registration answers is kept in variables, and the calls after it send it. Every \`referenceTransaction\` ends with \`{{run}}\`: clear that variable to begin anew. Every request tests its answer: the status, and the form that the description gives it.`;

/**
 * An OpenAPI description as a collection for Postman and its like, Collection Format 2.1.0: a folder for each tag, a
 * request for each operation, bodies and answers from the examples.
 */
export function buildCollection(document: JsonObject): JsonObject {
  const description = document as unknown as Description;
  const { info, servers, tags, paths, components } = description;
  const placed = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Placed => ({ method, path, operation })),
  );
  const found = variablesIn(placed.flatMap(({ operation }) => examplesOf(operation)));
  const names = [...found.keys()];
  const folders = tags
    .map(({ name, description: about }) => ({
      name,
      ...(about === undefined ? {} : { description: about }),
      item: placed
        .filter(({ operation }) => operation.tags.includes(name))
        .map((one) => requestItem(one, names)),
    }))
    .filter(({ item }) => item.length > 0);
  return {
    info: {
      name: info.title,
      description: `${info.description ?? ''}\n\n${usage}`.trim(),
      version: info.version,
      schema,
    },
    auth,
    event: [beforeEach, afterEach(names, { expected: expectationsOf(placed), schemas: components.schemas })],
    variable: variablesOf(servers[0]?.url ?? '', found),
    item: folders,
  };
}

/** Everything that requests may send; parameters that are switched off have no example. */
function examplesOf({ parameters = [], requestBody }: DescribedOperation): Json[] {
  const query = Object.fromEntries(parameters.map(({ name, example = '' }) => [name, example]));
  const contents = Object.values(requestBody?.content ?? {});
  const bodies = contents.flatMap(({ examples = {} }) => Object.values(examples).map(({ value }) => value));
  return [query, ...bodies];
}

const auth: JsonObject = {
  type: 'oauth2',
  oauth2: credentials({
    grant_type: 'client_credentials',
    accessTokenUrl: '{{baseUrl}}/oauth/token',
    clientId: '{{clientId}}',
    clientSecret: '{{clientSecret}}',
    client_authentication: 'header',
    accessToken: '{{accessToken}}',
    tokenType: 'Bearer',
    headerPrefix: 'Bearer',
    addTokenTo: 'header',
  }),
};

function variablesOf(baseUrl: string, found: ReadonlyMap<string, string>): JsonObject[] {
  return credentials({
    baseUrl,
    clientId: '',
    clientSecret: '',
    run: '',
    ...Object.fromEntries(found),
  });
}
