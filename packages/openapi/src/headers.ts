import type { Operation } from '@rubrica/contracts/rest/operation';
import type { Json, JsonObject } from './json.ts';

const text = { type: 'string' } as const;
const number = { type: 'integer', minimum: 0 } as const;

/** Components for headers of answers, each described once. */
export const headerComponents = {
  RequestId: {
    description: 'Id of the call: the value of `x-request-id`, or a generated one. Quote it to support',
    schema: text,
    example: '0197a000-0000-7000-8000-000000000111',
  },
  RateLimitLimit: {
    description:
      'Calls per minute allowed to this partner, or to this address on public addresses. Absent if there is no limit',
    schema: number,
    example: 6000,
  },
  RateLimitRemaining: {
    description: 'Calls left in the current minute. Absent if there is no limit',
    schema: number,
    example: 5999,
  },
  RateLimitReset: {
    description: 'Seconds until all calls are allowed again. Absent if there is no limit',
    schema: number,
    example: 60,
  },
  QuotaLimit: {
    description:
      'Requests of this certificate type that the partner may register in the month, or in its package. Absent if there is no quota',
    schema: number,
    example: 100,
  },
  QuotaRemaining: {
    description: 'Requests left after this one. Absent if there is no quota',
    schema: number,
    example: 99,
  },
  RetryAfter: { description: 'Seconds to wait before repeating the call', schema: number, example: 2 },
  AskAgainAfter: {
    description: 'Seconds until another call is useful; absent in a terminal state',
    schema: number,
    example: 2,
  },
  ETag: { description: 'Version of the answer, for `If-None-Match`', schema: text, example: '"3"' },
  CacheControl: { description: 'Time for which the answer may be reused without another call', schema: text },
  LastModified: { description: 'Time of the last change of the answer', schema: text },
  Expires: { description: 'Time until which the answer may be reused', schema: text },
  Vary: { description: '`Accept-Language`: the answer depends on it', schema: text },
  ContentLanguage: {
    description: 'Language of the texts',
    schema: { type: 'string', enum: ['en', 'es'] },
    example: 'es',
  },
  Deprecation: { description: 'Start of the deprecation of the operation (RFC 9745)', schema: text },
  Sunset: { description: 'Time at which the operation ends (RFC 8594)', schema: text },
  Link: { description: 'Documentation of the replacement', schema: text },
  WwwAuthenticate: { description: 'Required authentication (RFC 6750 §3, RFC 6749 §5.2)', schema: text },
} as const satisfies Readonly<Record<string, JsonObject>>;

const headerNames = {
  RequestId: 'x-request-id',
  RateLimitLimit: 'RateLimit-Limit',
  RateLimitRemaining: 'RateLimit-Remaining',
  RateLimitReset: 'RateLimit-Reset',
  QuotaLimit: 'x-quota-limit',
  QuotaRemaining: 'x-quota-remaining',
  RetryAfter: 'Retry-After',
  AskAgainAfter: 'Retry-After',
  ETag: 'ETag',
  CacheControl: 'Cache-Control',
  LastModified: 'Last-Modified',
  Expires: 'Expires',
  Vary: 'Vary',
  ContentLanguage: 'Content-Language',
  Deprecation: 'Deprecation',
  Sunset: 'Sunset',
  Link: 'Link',
  WwwAuthenticate: 'WWW-Authenticate',
} as const satisfies Record<keyof typeof headerComponents, string>;

type HeaderId = keyof typeof headerComponents;

/** Headers of every answer to a call that counts towards the rate limit. */
export const everyAnswer = ['RequestId', 'RateLimitLimit', 'RateLimitRemaining', 'RateLimitReset'] as const;

/** Creates references to some of the components, by the names of the headers. */
export function headers(...ids: readonly HeaderId[]): JsonObject {
  return Object.fromEntries(ids.map((id) => [headerNames[id], { $ref: `#/components/headers/${id}` }]));
}

function requestHeader(name: string, description: string, example: string): Json {
  return { name, in: 'header', required: false, description, schema: text, example };
}

const always: readonly Json[] = [
  requestHeader(
    'x-request-id',
    'Your id for the call, 1 to 64 of A–Z, a–z, 0–9, `_`, `.` and `-`; the answer repeats it',
    'order-4711',
  ),
  requestHeader(
    'traceparent',
    'Your trace (W3C Trace Context); errors return its trace id as `traceId`',
    '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  ),
  requestHeader('Accept-Language', 'Language of texts, `en` or `es`; default English', 'es'),
];
const ifNoneMatch = requestHeader(
  'If-None-Match',
  '`ETag` of a previous answer; the service answers 304 if it is unchanged',
  '"3"',
);
const ifModifiedSince = requestHeader(
  'If-Modified-Since',
  '`Last-Modified` of a previous answer; the service answers 304 if it is unchanged. Ignored together with `If-None-Match`',
  'Sun, 01 Mar 2026 17:00:00 GMT',
);

type Versioned = Partial<Pick<Operation, 'published' | 'path'>>;

/** Recognises operations whose answers have a version. */
export function isVersioned({ published, path = '' }: Versioned): boolean {
  return published === true || path.endsWith('/status') || path.endsWith('/validation-status');
}

/** Lists the headers of requests for the authority’s files and answers, which are dated too. */
export function datedHeaders(): readonly Json[] {
  return [...always, ifNoneMatch, ifModifiedSince];
}

/** Lists the headers that an operation accepts beyond those of authentication and body. */
export function requestHeaders(operation: Versioned): readonly Json[] {
  return isVersioned(operation) ? [...always, ifNoneMatch] : always;
}
