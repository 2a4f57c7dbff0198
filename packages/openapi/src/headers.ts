import type { Operation } from '@rubrica/contracts/rest/operation';
import type { Json, JsonObject } from './json.ts';

const text = { type: 'string' } as const;
const number = { type: 'integer', minimum: 0 } as const;

/** Headers of answers, described once. */
export const headerComponents = {
  RequestId: {
    description: "The call's id, as `x-request-id` named it or made here. Quote it to support",
    schema: text,
    example: '0197a000-0000-7000-8000-000000000111',
  },
  RateLimitLimit: {
    description:
      'Calls a minute that are allowed to this partner, or on public addresses to this address. Absent where there is no limit',
    schema: number,
    example: 6000,
  },
  RateLimitRemaining: {
    description: 'Calls that are left in the present minute. Absent where there is no limit',
    schema: number,
    example: 5999,
  },
  RateLimitReset: {
    description: 'Seconds until all calls are allowed again. Absent where there is no limit',
    schema: number,
    example: 60,
  },
  QuotaLimit: {
    description:
      'Requests of this certificate type that the partner may register in the month, or of its package. Absent where there is no quota',
    schema: number,
    example: 100,
  },
  QuotaRemaining: {
    description: 'What was left of it after this request. Absent where there is no quota',
    schema: number,
    example: 99,
  },
  RetryAfter: { description: 'Seconds to wait before the call is sent again', schema: number, example: 2 },
  AskAgainAfter: {
    description: 'Seconds until asking again makes sense; absent in a terminal state',
    schema: number,
    example: 2,
  },
  ETag: { description: 'Version of the answer, for `If-None-Match`', schema: text, example: '"3"' },
  CacheControl: { description: 'How long the answer may be used without asking again', schema: text },
  LastModified: { description: 'Since when the answer is as it is', schema: text },
  Expires: { description: 'Until when the answer may be used', schema: text },
  Vary: { description: '`Accept-Language`: the answer depends on it', schema: text },
  ContentLanguage: {
    description: 'Language of the texts',
    schema: { type: 'string', enum: ['en', 'es'] },
    example: 'es',
  },
  Deprecation: { description: 'Since when the operation is deprecated (RFC 9745)', schema: text },
  Sunset: { description: 'When the operation ends (RFC 8594)', schema: text },
  Link: { description: 'What to use in place of the operation', schema: text },
  WwwAuthenticate: { description: 'How to authenticate (RFC 6750 §3, RFC 6749 §5.2)', schema: text },
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

/** On every answer to a call that is counted. */
export const everyAnswer = ['RequestId', 'RateLimitLimit', 'RateLimitRemaining', 'RateLimitReset'] as const;

/** References to some of the components, by the names that the headers have. */
export function headers(...ids: readonly HeaderId[]): JsonObject {
  return Object.fromEntries(ids.map((id) => [headerNames[id], { $ref: `#/components/headers/${id}` }]));
}

function requestHeader(name: string, description: string, example: string): Json {
  return { name, in: 'header', required: false, description, schema: text, example };
}

const always: readonly Json[] = [
  requestHeader(
    'x-request-id',
    'An id of your own for the call, 1 to 64 of A–Z, a–z, 0–9, `_`, `.` and `-`; the answer repeats it',
    'order-4711',
  ),
  requestHeader(
    'traceparent',
    'Your trace (W3C Trace Context); `traceId` of an error is its trace id',
    '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  ),
  requestHeader('Accept-Language', 'Language of texts, `en` or `es`; English unless it is given', 'es'),
];
const ifNoneMatch = requestHeader('If-None-Match', 'The `ETag` of an answer that you have: then 304', '"3"');
const ifModifiedSince = requestHeader(
  'If-Modified-Since',
  'The `Last-Modified` of an answer that you have: then 304. Counts without `If-None-Match` alone',
  'Sun, 01 Mar 2026 17:00:00 GMT',
);

type Versioned = Partial<Pick<Operation, 'published' | 'path'>>;

/** Recognises operations whose answers have a version. */
export function isVersioned({ published, path = '' }: Versioned): boolean {
  return published === true || path.endsWith('/status') || path.endsWith('/validation-status');
}

/** Headers of the authority’s files and answers, which are dated too. */
export function datedHeaders(): readonly Json[] {
  return [...always, ifNoneMatch, ifModifiedSince];
}

/** The headers that an operation takes beyond those of authentication and body. */
export function requestHeaders(operation: Versioned): readonly Json[] {
  return isVersioned(operation) ? [...always, ifNoneMatch] : always;
}
