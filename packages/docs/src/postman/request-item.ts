import type { Json, JsonObject } from '@rubrica/openapi/json';
import type { MediaContent, Operation, Parameter, Route } from '../openapi-document.ts';
import { createAfterOperation } from './scripts.ts';
import { insertVariables } from './variables.ts';

/** Creates a request with its first body. Every body is stored as an example with its answer. */
export function createRequestItem(route: Route, variables: readonly string[]): JsonObject {
  const { operation } = route;
  const bodies = listBodies(operation);
  const script = createAfterOperation(operation.operationId, variables);
  return {
    name: operation.summary,
    ...(script ? { event: [script] } : {}),
    request: createRequest(route, bodies[0]?.value),
    response: createSavedAnswers(route, bodies),
  };
}

interface NamedBody {
  readonly summary: string;
  readonly value: Json | undefined;
}

function listBodies({ requestBody }: Operation): NamedBody[] {
  const [content] = Object.values(requestBody?.content ?? {});
  const named = Object.values(content?.examples ?? {});
  return named.length > 0 ? named : [{ summary: 'Success', value: undefined }];
}

function createRequest({ method, path, operation }: Route, body: Json | undefined): JsonObject {
  const [content] = Object.entries(operation.requestBody?.content ?? {});
  const auth = createAuth(operation);
  return {
    method: method.toUpperCase(),
    ...(operation.description === undefined ? {} : { description: operation.description }),
    ...(auth ? { auth } : {}),
    header: content ? [{ key: 'Content-Type', value: content[0] }] : [],
    ...(content ? { body: createBody(content, body) } : {}),
    url: createUrl(path, operation.parameters ?? []),
  };
}

/** Creates the request's own authentication, or none if it uses that of the collection. */
function createAuth({ security = [] }: Operation): JsonObject | undefined {
  if (security.length === 0) return { type: 'noauth' };
  if (!security.some((way) => 'client' in way)) return undefined;
  return { type: 'basic', basic: toAttributes({ username: '{{clientId}}', password: '{{clientSecret}}' }) };
}

export function toAttributes(values: Readonly<Record<string, string>>): JsonObject[] {
  return Object.entries(values).map(([key, value]) => ({ key, value, type: 'string' }));
}

function createBody([mediaType]: [string, MediaContent], body: Json | undefined): JsonObject {
  if (body === undefined) return { mode: 'file', file: {} };
  const value = insertVariables(body);
  if (mediaType === 'application/x-www-form-urlencoded') {
    const fields = Object.entries(value as Record<string, string>);
    return { mode: 'urlencoded', urlencoded: fields.map(([key, one]) => ({ key, value: one })) };
  }
  const indent = mediaType === 'application/x-ndjson' ? 0 : 2;
  return {
    mode: 'raw',
    raw: JSON.stringify(value, null, indent),
    options: { raw: { language: 'json' } },
  };
}

function createUrl(path: string, parameters: readonly Parameter[]): JsonObject {
  const address = path.replace(/\{(\w+)\}/g, ':$1');
  const query = parameters.filter(({ in: location }) => location === 'query').map(toQueryParameter);
  const variable = parameters
    .filter(({ in: location }) => location === 'path')
    .map(({ name, description = '', example = '' }) => ({
      key: name,
      value: insertVariables(example, name),
      description,
    }));
  const search = query
    .filter(({ disabled }) => !disabled)
    .map(({ key, value }) => `${key}=${value}`)
    .join('&');
  return {
    raw: `{{baseUrl}}${address}${search === '' ? '' : `?${search}`}`,
    host: ['{{baseUrl}}'],
    path: address.slice(1).split('/'),
    ...(query.length > 0 ? { query } : {}),
    ...(variable.length > 0 ? { variable } : {}),
  };
}

/** Parameters without an example are disabled. */
function toQueryParameter({ name, description, example }: Parameter) {
  return {
    key: name,
    value: String(insertVariables(example ?? '', name)),
    ...(description === undefined ? {} : { description }),
    ...(example === undefined ? { disabled: true } : {}),
  };
}

function createSavedAnswers(route: Route, bodies: readonly NamedBody[]): JsonObject[] {
  const [[type = '', content] = []] = Object.entries(route.operation.responses['200']?.content ?? {});
  const { example } = content ?? {};
  const isLines = type === 'application/x-ndjson';
  if (example === undefined) return [];
  return bodies.map(({ summary, value }) => ({
    name: summary,
    originalRequest: createRequest(route, value),
    status: 'OK',
    code: 200,
    _postman_previewlanguage: 'json',
    header: [{ key: 'Content-Type', value: isLines ? type : 'application/json; charset=utf-8' }],
    body: JSON.stringify(example, null, isLines ? 0 : 2),
  }));
}
