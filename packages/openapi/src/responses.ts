import { STATUS_CODES } from 'node:http';
import { type OAuthErrorCode, tokenErrorSchema } from '@rubrica/contracts/rest/oauth';
import type { Operation } from '@rubrica/contracts/rest/operation';
import { type ErrorCode, errorCatalogue, errorObjectSchema } from '@rubrica/contracts/shared/errors';
import { everyAnswer, headers, isVersioned } from './headers.ts';
import type { Json, JsonObject } from './json.ts';
import type { Schemas } from './schemas.ts';

const json = 'application/json';
const lines = 'application/x-ndjson';
const form = 'application/x-www-form-urlencoded';

/** Describes the responses of an operation: its success, and its errors by status, each with its codes. */
export function describeResponses(operation: Operation, schemas: Schemas, example: Json): JsonObject {
  const schema = schemas.use(operation.success, 'output');
  const success = {
    description: 'Success',
    headers: headers(
      ...everyAnswer,
      ...listHeaders(operation),
      ...listQuotaHeaders(operation.errors),
      ...listEndHeaders(operation),
    ),
    content: { [operation.mediaType === lines ? lines : json]: { schema, example } },
  };
  const byStatus = Map.groupBy(listCodes(operation), (code) => errorCatalogue[code].http);
  const errors = [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(
      ([status, codes]) => [String(status), errorResponse(status, { codes, schemas, operation })] as const,
    );
  const unchanged = isVersioned(operation) ? { 304: notModified } : {};
  return { 200: success, ...unchanged, ...Object.fromEntries(errors) } as JsonObject;
}

/** Lists the operation's own codes and those of any such call, in the order of the catalogue. */
function listCodes(operation: Operation): ErrorCode[] {
  const common: ErrorCode[] = ['RATE_LIMITED', 'SERVICE_UNAVAILABLE', 'INTERNAL_ERROR'];
  if (operation.access !== 'public') common.push('UNAUTHENTICATED', 'FORBIDDEN');
  if (operation.body) common.push('BODY_MALFORMED', 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  if (operation.mediaType === form) common.push('UNAUTHENTICATED');
  const codes = new Set([...operation.errors, ...common]);
  return (Object.keys(errorCatalogue) as ErrorCode[]).filter((code) => codes.has(code));
}

export const notModified: JsonObject = {
  description: 'Unchanged since the version in `If-None-Match`',
  headers: headers(...everyAnswer, 'ETag', 'CacheControl'),
};

function listHeaders(operation: Operation) {
  if (operation.mediaType === lines) return ['ContentLanguage', 'Vary'] as const;
  if (operation.published) return ['ETag', 'CacheControl', 'ContentLanguage', 'Vary'] as const;
  if (!isVersioned(operation)) return [];
  return ['ETag', 'CacheControl', 'AskAgainAfter', 'ContentLanguage', 'Vary'] as const;
}

function listQuotaHeaders(codes: readonly ErrorCode[]) {
  return codes.includes('QUOTA_EXCEEDED') ? (['QuotaLimit', 'QuotaRemaining'] as const) : [];
}

function listEndHeaders({ deprecated }: Partial<Pick<Operation, 'deprecated'>> = {}) {
  return deprecated === undefined ? [] : (['Deprecation', 'Sunset', 'Link'] as const);
}

interface ErrorContext {
  readonly codes: readonly ErrorCode[];
  readonly schemas: Schemas;
  readonly operation?: Pick<Operation, 'mediaType' | 'deprecated'>;
}

/** Describes an error response. That of the token endpoint has the members of RFC 6749 §5.2. */
export function errorResponse(status: number, { codes, schemas, operation }: ErrorContext): JsonObject {
  const isOAuth = operation?.mediaType === form;
  const list = codes.map((code) => `\`${code}\`: ${errorCatalogue[code].en}`).join('\n\n');
  const schema = schemas.use(isOAuth ? tokenErrorSchema : errorObjectSchema, 'output');
  const examples = Object.fromEntries(
    codes.map((code) => [code, { value: isOAuth ? tokenError(status, code) : exampleError(status, code) }]),
  );
  return {
    description: `${STATUS_CODES[status]}\n\n${list}`,
    headers: headers(
      ...everyAnswer,
      'ContentLanguage',
      ...listStatusHeaders(status),
      ...listQuotaHeaders(codes),
      ...listEndHeaders(operation),
    ),
    content: { [json]: { schema, examples } },
  };
}

function listStatusHeaders(status: number) {
  if (status === 401 || status === 403) return ['WwwAuthenticate'] as const;
  return status === 429 || status === 503 ? (['RetryAfter'] as const) : [];
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
    docUrl: `https://rubrica.example/docs/en/errors#${code}`,
  };
}

const oauthCodes: Readonly<Record<number, OAuthErrorCode>> = {
  400: 'invalid_request',
  401: 'invalid_client',
};

/**
 * Creates the example of a token error. RFC 6749 has no code for 429 and 5xx: there `error` remains the reason phrase
 * of the status.
 */
function tokenError(status: number, code: ErrorCode): JsonObject {
  const example = exampleError(status, code);
  const error = status < 429 ? (oauthCodes[status] ?? 'invalid_request') : undefined;
  return error === undefined
    ? { ...example, path: '/oauth/token' }
    : { ...example, path: '/oauth/token', error, error_description: errorCatalogue[code].en };
}
