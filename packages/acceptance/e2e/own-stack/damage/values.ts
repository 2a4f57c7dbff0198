import fc from 'fast-check';
import { anyOddity, oddText } from '../../support/oddities.ts';

/** Characters to insert into a correct text, so that it still passes most checks. */
export const spoiler: fc.Arbitrary<string> = fc.constantFrom(
  ...Array.from({ length: 6 }, () => '\u0000'),
  '\ud800',
  '\udc00\ud800',
  '\u0007',
  '\u0085',
  '\u2028',
  '\u202e',
  '\ufeff',
  '\ufffe',
  '\u{10ffff}',
  'é́́',
  '%',
  '_',
  '\\',
  "'",
  '"',
  '<b>',
  '\r\n',
  ' '.repeat(300),
);

/** Texts longer and values deeper than those of `anyOddity`, rare because they cost time. */
const huge: fc.Arbitrary<unknown> = fc.oneof(
  fc.integer({ min: 10_000, max: 1_200_000 }).map((length) => 'x'.repeat(length)),
  fc.integer({ min: 200, max: 2_000 }).map((length) => Array.from({ length }, (_, index) => index)),
  fc.integer({ min: 200, max: 1_500 }).map((depth) => {
    let value: unknown = 'in';
    for (let level = 0; level < depth; level += 1) value = { a: value };
    return value;
  }),
);

const likely: fc.Arbitrary<unknown> = fc.constantFrom<unknown>(
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '9999-12-31T23:59:59.999Z',
  '0000-01-01T00:00:00Z',
  '-271821-04-20T00:00:00Z',
  '2026-02-30',
  'http://127.0.0.1:99999/',
  'http://[::1',
  'https://user:pass@h\u0000st/',
  'http://xn--/',
  `http://${'a.'.repeat(120)}ec/`,
  'a@b\u0000.ec',
  'data:image/png;base64,%%%',
  'AA==',
  '٣٤٥',
  '1e400',
  -0,
  2 ** 31,
  2 ** 63,
  -(2 ** 53),
  1.5,
);

export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 12, arbitrary: anyOddity },
  { weight: 8, arbitrary: likely },
  { weight: 1, arbitrary: huge },
);

/**
 * Parts of a path or a query: bad escapes, escapes of forbidden characters, and characters that are never sent
 * unescaped.
 */
export const oddEscape: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...['%', '%0', '%zz', '%00', '%ff', '%c0%ae', '%ed%a0%80', '%f4%90%80%80', '%e2%80%ae', '%0d%0a', '%25'],
    ...['/', '//', '/../', '/%2e%2e/', '\\', ';a=b', '?', '??', '&&', '=', '#', '+', '*', '|', '{', '[', '"'],
    ...['\u0000', '\u0001', '\u007f', '\u00ff', '\t', ' ', '~', '__proto__', 'constructor'],
  ),
  oddText.map((text) => encodeURIComponent(text.toWellFormed())),
  fc.integer({ min: 50, max: 9_000 }).map((length) => 'a'.repeat(length)),
);

const text = oddText.map((value) => value.replaceAll('\n', ' '));

/** Values of a header. */
export const oddHeader: fc.Arbitrary<string> = fc.oneof(
  text,
  fc.constantFrom(
    ...['', ' ', ',', ';', '*', '*/*', '""', '"', 'W/"', '-1', '0', '99999999999999999999', '\t', '\u0000'],
    ...[
      'Basic',
      'Basic ',
      'Bearer',
      'Bearer  ',
      'Bearer a.b.c',
      'Bearer rbk_x',
      'Bearer rbk_\u00ff',
      'Digest x',
    ],
    ...['gzip', 'chunked', 'identity, chunked', 'xyz', '100-continue', 'es;q=x', 'en-;;q=2', 'bytes=0-,1-2'],
    ...[
      'application/json',
      'application/json; charset=utf-16',
      'application/x-www-form-urlencoded',
      'multipart/x',
    ],
    ...[
      'text/html',
      'null',
      'https://evil.example',
      '00-00000000000000000000000000000000-0000000000000000-00',
    ],
    ...['a\r\nx-injected: 1', 'x'.repeat(9_000)],
  ),
  // Credentials with NUL, halves of characters, no colon, great length.
  fc
    .tuple(oddText, fc.constantFrom(':', ''), oddText)
    .map(([id, colon, secret]) => `Basic ${Buffer.from(`a${id}${colon}${secret}b`).toString('base64')}`),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => `Basic ${Buffer.from(bytes).toString('base64')}`),
  fc
    .tuple(fc.json(), fc.json())
    .map((parts) => `Bearer ${parts.map((part) => Buffer.from(part).toString('base64url')).join('.')}.AAAA`),
);

export const headerName: fc.Arbitrary<string> = fc.constantFrom(
  ...[
    'authorization',
    'authorization',
    'content-type',
    'content-type',
    'content-length',
    'transfer-encoding',
  ],
  ...['accept', 'accept-language', 'accept-encoding', 'if-none-match', 'if-modified-since', 'host', 'origin'],
  ...['x-request-id', 'traceparent', 'tracestate', 'user-agent', 'cookie', 'range', 'expect', 'connection'],
  ...[
    'content-encoding',
    'sec-fetch-site',
    'referer',
    'x-forwarded-for',
    'x-http-method-override',
    'upgrade',
  ],
  ...['trpc-accept', 'x-trpc-source', 'te', 'trailer', '__proto__', 'x y', ''],
);

export const oddMethod: fc.Arbitrary<string> = fc.constantFrom(
  ...['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT', 'PROPFIND', 'QUERY'],
  ...['get', 'BREW', '', 'P\u0000ST', 'X'.repeat(5_000)],
);
