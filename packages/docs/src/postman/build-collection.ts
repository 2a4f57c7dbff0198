import type { Json, JsonObject } from '@rubrica/openapi/json';
import { groupRoutes, listRoutes, type OpenApiDocument, type Operation } from '../openapi-document.ts';
import { listExpectations } from './expectations.ts';
import { createRequestItem, toAttributes } from './request-item.ts';
import { beforeEach, createAfterEach } from './scripts.ts';
import { findVariables } from './variables.ts';

const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

const usage = `Set the variables \`clientId\` and \`clientSecret\` of this collection; tokens are then asked for and renewed by themselves. What a registration answers is kept in variables, and the calls after it send it. Every \`referenceTransaction\` ends with \`{{run}}\`: clear that variable to begin anew. Every request tests its answer: the status, and the form that the description gives it.`;

/**
 * Converts the OpenAPI document into a collection for Postman and compatible tools (Collection Format 2.1.0). Tags become
 * folders, operations become requests, and bodies and answers come from the examples.
 */
export function buildCollection(document: OpenApiDocument): JsonObject {
  const { info, servers, components } = document;
  const routes = listRoutes(document);
  const variables = findVariables(routes.flatMap(({ operation }) => listExamples(operation)));
  const names = [...variables.keys()];
  const expectations = listExpectations(routes);
  return {
    info: {
      name: info.title,
      description: `${info.description ?? ''}\n\n${usage}`.trim(),
      version: info.version,
      schema,
    },
    auth,
    event: [beforeEach, createAfterEach(names, { expectations, schemas: components.schemas })],
    variable: createVariables(servers[0]?.url ?? '', variables),
    item: groupRoutes(document).map(({ name, description, routes: list }) => ({
      name,
      ...(description === undefined ? {} : { description }),
      item: list.map((route) => createRequestItem(route, names)),
    })),
  };
}

/** Lists all values that requests may send. Disabled parameters have no example. */
function listExamples({ parameters = [], requestBody }: Operation): Json[] {
  const query = Object.fromEntries(parameters.map(({ name, example = '' }) => [name, example]));
  const contents = Object.values(requestBody?.content ?? {});
  const bodies = contents.flatMap(({ examples = {} }) => Object.values(examples).map(({ value }) => value));
  return [query, ...bodies];
}

const auth: JsonObject = {
  type: 'oauth2',
  oauth2: toAttributes({
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

function createVariables(baseUrl: string, found: ReadonlyMap<string, string>): JsonObject[] {
  return toAttributes({
    baseUrl,
    clientId: '',
    clientSecret: '',
    run: '',
    ...Object.fromEntries(found),
  });
}
