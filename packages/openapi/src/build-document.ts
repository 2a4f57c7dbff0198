import type { Operation } from '@rubrica/contracts/rest/operation';
import { operations } from '@rubrica/contracts/rest/operations';
import { sandboxOperations } from '@rubrica/contracts/rest/sandbox';
import { type Scope, scopes } from '@rubrica/contracts/shared/enumerations';
import { z } from 'zod';
import { sandboxExamples } from './examples/sandbox.ts';
import { type Example, examples } from './examples.ts';
import { headerComponents, requestHeaders } from './headers.ts';
import type { Json, JsonObject } from './json.ts';
import { describeFields } from './meanings/describe-fields.ts';
import { namedExamples } from './named-examples.ts';
import { pkiPaths, pkiTag } from './pki-paths.ts';
import { describeResponses } from './responses.ts';
import { collectSchemas, type Schemas, toJsonSchema } from './schemas.ts';
import { sortTags, tagTexts } from './tags.ts';
import { describeWebhooks } from './webhooks.ts';

const scopeTexts: Readonly<Record<Scope, string>> = {
  'collector:write': 'Register requests',
  'manager:write': 'Retry and cancel requests, send claim links again',
  'status:read': 'Read the status of requests',
  'certificates:revoke': 'Revoke certificates',
};

const introduction = `Rubrica registers requests for electronic-signature certificates and drives them to issuance.

Bodies are JSON in UTF-8; texts are trimmed, an empty text counts as absent, and unknown fields are ignored. Every answer other than 2xx contains the error object, with all faults of a body at once. Dates without a zone are in the time zone of the service.`;

interface DocumentOptions {
  readonly baseUrl: string;
  readonly version: string;
  /** Adds the operations that only a sandbox serves. */
  readonly sandbox?: boolean;
}

type Rows = Readonly<Record<string, Operation>>;

const shown: Readonly<Record<string, Example>> = { ...examples, ...sandboxExamples };

/** Builds the OpenAPI 3.1 document of all operations for partners, from the tables that the gateway serves. */
export function buildDocument({ baseUrl, version, sandbox = false }: DocumentOptions): JsonObject {
  const rows: Rows = { ...operations, ...(sandbox ? sandboxOperations : {}) };
  const schemas = collectSchemas();
  const paths = describePaths(rows, schemas);
  const webhooks = describeWebhooks(schemas);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Rubrica',
      version,
      description: introduction,
      contact: { name: 'Integration', url: `${baseUrl}/docs` },
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: baseUrl }],
    tags: listTags(rows),
    paths: { ...paths, ...pkiPaths(schemas) },
    webhooks,
    components: {
      schemas: schemas.components(),
      headers: selectHeaders(rows),
      securitySchemes: securitySchemes(baseUrl),
    },
  };
}

/** Selects the headers in use: linters reject components without references. */
function selectHeaders(rows: Rows): JsonObject {
  const { Deprecation, Sunset, Link, ...always } = headerComponents;
  const isAnyEnding = Object.values(rows).some(({ deprecated }) => deprecated !== undefined);
  return isAnyEnding ? headerComponents : always;
}

function listTags(rows: Rows): Json[] {
  const named = Object.values(rows).map(({ tag }) => tag);
  return sortTags([...new Set([...named, pkiTag, 'Webhooks'])]).map((name) => ({
    name,
    ...(tagTexts[name] === undefined ? {} : { description: tagTexts[name] }),
  }));
}

function describePaths(rows: Rows, schemas: Schemas): JsonObject {
  const paths: Record<string, Record<string, Json>> = {};
  for (const [id, operation] of Object.entries(rows)) {
    paths[operation.path] ??= {};
    (paths[operation.path] as Record<string, Json>)[operation.method.toLowerCase()] = describeOperation(
      id,
      operation,
      schemas,
    );
  }
  return paths;
}

function describeOperation(id: string, operation: Operation, schemas: Schemas): JsonObject {
  const { tag, summary, description, access, body, deprecated } = operation;
  const example = shown[id] as Example;
  const parameters = describeParameters(id, operation, example);
  return {
    tags: [tag],
    operationId: id,
    summary,
    ...(description === undefined ? {} : { description }),
    ...(deprecated === undefined ? {} : { deprecated: true, 'x-deprecation': { ...deprecated } }),
    security: describeSecurity(id, access),
    parameters,
    ...(body === undefined ? {} : { requestBody: describeRequestBody(operation, example, schemas) }),
    responses: describeResponses(operation, schemas, example.answer),
  };
}

/** The token endpoint authenticates the client itself; a body with both credentials needs no header. */
function describeSecurity(id: string, access: Operation['access']): Json[] {
  if (access !== 'public') return [{ oauth: access === 'any' ? [] : [access] }, { apiToken: [] }];
  return id === 'token' ? [{ client: [] }, {}] : [];
}

function describeRequestBody(operation: Operation, { bodies = {} }: Example, schemas: Schemas): JsonObject {
  const { body = z.object({}), mediaType = 'application/json' } = operation;
  const content = { schema: schemas.use(body, 'input'), examples: namedExamples(bodies) };
  return {
    required: true,
    description: `At most ${sizeText(operation.maxBodyBytes)}${mediaType === 'application/x-ndjson' ? ' a line' : ''}`,
    content: { [mediaType]: content },
  };
}

function sizeText(bytes: number): string {
  return bytes < 1024 * 1024 ? `${bytes / 1024} KiB` : `${bytes / (1024 * 1024)} MiB`;
}

function describeParameters(id: string, operation: Operation, example: Example): Json[] {
  const { params, query } = operation;
  return [
    ...(params ? pathParameters(params, id, example.params) : []),
    ...(query ? queryParameters(query, id, example.query) : []),
    ...requestHeaders(operation),
  ];
}

function pathParameters(params: z.ZodObject, owner: string, values: Example['params']): Json[] {
  return locateParameters('path', params, { owner, values });
}

function queryParameters(query: z.ZodObject, owner: string, values?: Example['query']): Json[] {
  return locateParameters('query', query, { owner, values });
}

/** Describes parameters. Those without an example are not part of the call to copy. */
function locateParameters(
  location: 'path' | 'query',
  parameters: z.ZodObject,
  { owner, values = {} }: { readonly owner: string; readonly values: Example['query'] | undefined },
): Json[] {
  const { properties, required = [] } = toJsonSchema(parameters, 'input');
  const described = describeFields({ properties: properties as JsonObject }, owner).properties as JsonObject;
  return Object.entries(described).map(([name, schema]) => {
    const { description, ...rest } = schema as { description?: string };
    return {
      name,
      in: location,
      required: required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema: rest as JsonObject,
      ...(values[name] === undefined ? {} : { example: values[name] }),
    };
  });
}

function securitySchemes(baseUrl: string): JsonObject {
  return {
    oauth: {
      type: 'oauth2',
      description:
        'Access tokens, signed JWTs (RFC 9068) valid for half an hour. Clients authenticate with `client_secret_basic`, `client_secret_post` or `private_key_jwt` (RFC 7523); `/.well-known/oauth-authorization-server` contains all values that libraries need',
      flows: {
        clientCredentials: {
          tokenUrl: `${baseUrl}/oauth/token`,
          scopes: Object.fromEntries(scopes.map((scope) => [scope, scopeTexts[scope]])),
        },
      },
    },
    apiToken: {
      type: 'http',
      scheme: 'bearer',
      description: 'A static API token, `rbk_…`, issued by an operator',
    },
    client: {
      type: 'http',
      scheme: 'basic',
      description: 'Client id and client secret (`client_secret_basic`)',
    },
  };
}
