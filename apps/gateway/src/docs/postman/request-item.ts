import type { Json, JsonObject } from '@rubrica/openapi/json';
import type { DescribedOperation, MediaContent, Parameter, Placed } from './collection-types.ts';
import { afterOperation } from './scripts.ts';
import { withVariables } from './variables.ts';

/** One request, with its first body; every body is kept as a saved example with its answer. */
export function requestItem(placed: Placed, variables: readonly string[]): JsonObject {
  const { operation } = placed;
  const bodies = bodiesOf(operation);
  const script = afterOperation(operation.operationId, variables);
  return {
    name: operation.summary,
    ...(script ? { event: [script] } : {}),
    request: requestOf(placed, bodies[0]?.value),
    response: savedAnswers(placed, bodies),
  };
}

interface NamedBody {
  readonly summary: string;
  readonly value: Json | undefined;
}

function bodiesOf({ requestBody }: DescribedOperation): NamedBody[] {
  const [content] = Object.values(requestBody?.content ?? {});
  const named = Object.values(content?.examples ?? {});
  return named.length > 0 ? named : [{ summary: 'Success', value: undefined }];
}

function requestOf({ method, path, operation }: Placed, body: Json | undefined): JsonObject {
  const [content] = Object.entries(operation.requestBody?.content ?? {});
  const auth = authOf(operation);
  return {
    method: method.toUpperCase(),
    ...(operation.description === undefined ? {} : { description: operation.description }),
    ...(auth ? { auth } : {}),
    header: content ? [{ key: 'Content-Type', value: content[0] }] : [],
    ...(content ? { body: bodyOf(content, body) } : {}),
    url: urlOf(path, operation.parameters ?? []),
  };
}

/** Without any the request takes the collection's own. */
function authOf({ security = [] }: DescribedOperation): JsonObject | undefined {
  if (security.length === 0) return { type: 'noauth' };
  if (!security.some((way) => 'client' in way)) return undefined;
  return { type: 'basic', basic: credentials({ username: '{{clientId}}', password: '{{clientSecret}}' }) };
}

export function credentials(values: Readonly<Record<string, string>>): JsonObject[] {
  return Object.entries(values).map(([key, value]) => ({ key, value, type: 'string' }));
}

function bodyOf([mediaType]: [string, MediaContent], body: Json | undefined): JsonObject {
  if (body === undefined) return { mode: 'file', file: {} };
  const value = withVariables(body);
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

function urlOf(path: string, parameters: readonly Parameter[]): JsonObject {
  const address = path.replace(/\{(\w+)\}/g, ':$1');
  const query = parameters.filter(({ in: place }) => place === 'query').map(queryParameter);
  const variable = parameters
    .filter(({ in: place }) => place === 'path')
    .map(({ name, description = '', example = '' }) => ({
      key: name,
      value: withVariables(example, name),
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

/** Those without an example are there to be switched on. */
function queryParameter({ name, description, example }: Parameter) {
  return {
    key: name,
    value: String(withVariables(example ?? '', name)),
    ...(description === undefined ? {} : { description }),
    ...(example === undefined ? { disabled: true } : {}),
  };
}

function savedAnswers(placed: Placed, bodies: readonly NamedBody[]): JsonObject[] {
  const [[type = '', content] = []] = Object.entries(placed.operation.responses['200']?.content ?? {});
  const { example } = content ?? {};
  const isLines = type === 'application/x-ndjson';
  if (example === undefined) return [];
  return bodies.map(({ summary, value }) => ({
    name: summary,
    originalRequest: requestOf(placed, value),
    status: 'OK',
    code: 200,
    _postman_previewlanguage: 'json',
    header: [{ key: 'Content-Type', value: isLines ? type : 'application/json; charset=utf-8' }],
    body: JSON.stringify(example, null, isLines ? 0 : 2),
  }));
}
