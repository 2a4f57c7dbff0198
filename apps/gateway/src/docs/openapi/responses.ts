import { STATUS_CODES } from 'node:http';
import type { Operation } from '@rubrica/contracts/rest/operation';
import { type ErrorCode, errorCatalogue, errorObjectSchema } from '@rubrica/contracts/shared/errors';
import type { Json, JsonObject, Schemas } from './schemas.ts';

const json = 'application/json';

/** What an operation may answer: its success, and its errors by status, each with the codes it may carry. */
export function responsesOf(operation: Operation, schemas: Schemas, example: Json): JsonObject {
  const schema = successSchema(operation, schemas);
  const success = {
    description: 'Success',
    headers: headersOf(operation),
    content: { [json]: { schema, example } },
  };
  const byStatus = Map.groupBy(codesOf(operation), (code) => errorCatalogue[code].http);
  const errors = [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, codes]) => [String(status), errorResponse(status, codes, schemas)] as const);
  const notModified =
    operation.published || operation.path.endsWith('/status')
      ? { 304: { description: 'Not changed since the version named by `If-None-Match`' } }
      : {};
  return { 200: success, ...notModified, ...Object.fromEntries(errors) } as JsonObject;
}

/** A dry run is answered by the same status, in a form of its own. */
function successSchema({ success, dryRun }: Operation, schemas: Schemas): JsonObject {
  const registered = schemas.use(success, 'output');
  return dryRun ? { oneOf: [registered, schemas.use(dryRun, 'output')] } : registered;
}

/** The operation's own codes and those that any such call may be answered with, in the order of the catalogue. */
function codesOf(operation: Operation): ErrorCode[] {
  const common: ErrorCode[] = ['RATE_LIMITED', 'SERVICE_UNAVAILABLE', 'INTERNAL_ERROR'];
  if (operation.access !== 'public') common.push('UNAUTHENTICATED', 'FORBIDDEN');
  if (operation.body) common.push('BODY_MALFORMED', 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  if (operation.mediaType) common.push('UNAUTHENTICATED');
  const codes = new Set([...operation.errors, ...common]);
  return (Object.keys(errorCatalogue) as ErrorCode[]).filter((code) => codes.has(code));
}

function headersOf(operation: Operation): JsonObject {
  const text = (description: string): Json => ({ description, schema: { type: 'string' } });
  const always = { 'x-request-id': text('Quote it to support') };
  if (operation.published)
    return {
      ...always,
      ETag: text('Version of the answer'),
      'Cache-Control': text('How long it may be used without asking again'),
      'Content-Language': text('Language of the names: `en` or `es`'),
      Vary: text('`Accept-Language`'),
    };
  if (!operation.path.endsWith('/status')) return always;
  return {
    ...always,
    ETag: text('Version of the record'),
    'Retry-After': text('Seconds until asking again makes sense; absent in a terminal state'),
  };
}

function errorResponse(status: number, codes: readonly ErrorCode[], schemas: Schemas): JsonObject {
  const headers: Record<string, Json> = {};
  if (status === 401 || status === 403) headers['WWW-Authenticate'] = { schema: { type: 'string' } };
  if (status === 429 || status === 503)
    headers['Retry-After'] = { schema: { type: 'string' }, description: 'Seconds' };
  const list = codes.map((code) => `\`${code}\`: ${errorCatalogue[code].en}`).join('\n\n');
  return {
    description: `${STATUS_CODES[status]}\n\n${list}`,
    headers,
    content: {
      [json]: { schema: schemas.use(errorObjectSchema, 'output'), examples: examplesOf(status, codes) },
    },
  };
}

function examplesOf(status: number, codes: readonly ErrorCode[]): JsonObject {
  return Object.fromEntries(codes.map((code) => [code, { value: exampleError(status, code) }]));
}

function exampleError(status: number, code: ErrorCode): JsonObject {
  const { en: message, correctable, retryable } = errorCatalogue[code];
  return {
    timestamp: '2026-11-20 19:22:40',
    status,
    error: STATUS_CODES[status] ?? '',
    message,
    path: '/',
    code,
    messages: [message],
    errors: [{ code, message, correctable, retryable }],
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  };
}
