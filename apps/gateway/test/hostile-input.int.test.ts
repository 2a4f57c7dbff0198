import type { Operation } from '@rubrica/contracts/rest/operation';
import { operations } from '@rubrica/contracts/rest/operations';
import { errorObjectSchema } from '@rubrica/contracts/shared/errors';
import { disposeAfterAll } from '@rubrica/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linkedPartnerBody } from './support/bodies.ts';
import { testGateway } from './support/gateway.ts';
import { call } from './support/http.ts';

const gateway = await disposeAfterAll(testGateway());
const token = await gateway.token();

/** Values that have broken parsers before. */
const hostileValue = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constantFrom<unknown>(
    '\u0000',
    '\ud800',
    'a\u2028b',
    '﷽'.repeat(200),
    '../../etc/passwd',
    "'; drop table request; --",
    -0,
    1e308,
    Number.MAX_SAFE_INTEGER,
    true,
    [],
    {},
    [[]],
    [null],
    { toString: 'x' },
    { constructor: { prototype: {} } },
    { valueOf: null },
    'x'.repeat(5_000),
    Array.from({ length: 300 }, () => 1),
    '2026-02-30',
    '9999-99-99T99:99',
    'https://user:pass@[::1]:99999/',
    'data:;base64,',
    'data:image/png;base64,@@@',
    '====',
    [-129],
    [256],
    [1.5],
    [1, 'a'],
    ['\u0000'],
    { evidenceFile: null },
    [{ evidenceFile: {} }],
    [{ validatorUrl: [] }],
  ),
);

function namesOf(operation: Operation) {
  return [
    ...Object.keys((operation.body ?? operation.query)?.shape ?? {}),
    'constructor',
    'toString',
    'hasOwnProperty',
    '',
    '\u0000',
    'a.b',
    '$where',
  ];
}

function hostileObject(operation: Operation) {
  return fc.dictionary(fc.constantFrom(...namesOf(operation)), hostileValue, { maxKeys: 12 });
}

/** What must hold for every input. */
function expectGoodAnswer(answer: Awaited<ReturnType<typeof call>>): void {
  expect(answer.status, answer.text).toBeLessThan(500);
  expect(answer.headers.get('x-request-id')).not.toBeNull();
  if (answer.status < 400) return;
  const error = errorObjectSchema.parse(JSON.parse(answer.text));
  expect(error.status).toBe(answer.status);
  expect(error.messages.length).toBeGreaterThan(0);
  expect(answer.text).not.toMatch(
    /\bat \S+ \(|node_modules|\.ts:\d+|ZodError|SyntaxError|TypeError|Unexpected token/,
  );
}

const rows = Object.entries(operations) as [string, Operation][];
const withBody = rows.filter(([, { body }]) => body !== undefined);
const withQuery = rows.filter(([, { query }]) => query !== undefined);

test.each(withBody)(
  '%s answers any JSON body with a clear error object or success',
  async (_id, operation) => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(hostileObject(operation), hostileValue), async (body) => {
        expectGoodAnswer(
          await call(gateway.url + operation.path, {
            token,
            body: JSON.stringify(body) ?? '',
            headers: { 'content-type': 'application/json' },
          }),
        );
      }),
      { numRuns: 120 },
    );
  },
);

test('a good registration with one field replaced by anything is answered in order, naming that field where refused', async () => {
  const names = Object.keys(linkedPartnerBody());
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...names), hostileValue, async (name, value) => {
      const answer = await call(`${gateway.url}/collector/linked-partner/request`, {
        token,
        body: JSON.stringify({ ...linkedPartnerBody(), [name]: value }),
        headers: { 'content-type': 'application/json' },
      });
      expectGoodAnswer(answer);
      if (answer.status !== 400 || answer.json().code === 'BODY_MALFORMED') return;
      for (const { field = '' } of answer.error().errors) expect(field.startsWith(name)).toBe(true);
    }),
    { numRuns: 250 },
  );
});

test.each(withBody)('%s answers any bytes, under any content type', async (_id, operation) => {
  const types = fc.constantFrom(
    'application/json',
    'application/x-www-form-urlencoded',
    'text/html',
    'multipart/form-data',
    'application/json;charset=x',
    ',',
  );
  const broken = fc
    .tuple(fc.json(), fc.nat(60), fc.string({ unit: 'binary', maxLength: 4 }))
    .map(([json, at, junk]) => Buffer.from(json.slice(0, at) + junk + json.slice(at + 1)));
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.uint8Array({ maxLength: 400 }), broken), types, async (body, type) => {
      expectGoodAnswer(
        await call(gateway.url + operation.path, {
          method: 'POST',
          token,
          body,
          headers: { 'content-type': type },
        }),
      );
    }),
    { numRuns: 80 },
  );
});

test.each(withQuery)('%s answers any query', async (_id, operation) => {
  const pair = fc.tuple(
    fc.constantFrom(...namesOf(operation)),
    fc.string({ unit: 'binary', maxLength: 200 }).filter((text) => text.isWellFormed()),
  );
  const raw = fc.string({ maxLength: 100 }).map((text) => text.replace(/[^\x21-\x7e]|[#]/g, '%'));
  const query = fc.oneof(
    fc.array(pair, { maxLength: 6 }).map((pairs) => new URLSearchParams(pairs).toString()),
    raw,
  );
  await fc.assert(
    fc.asyncProperty(query, async (text) => {
      expectGoodAnswer(await call(`${gateway.url}${operation.path}?${text}`, { token }));
    }),
    { numRuns: 120 },
  );
});

test('any address, method and header is answered with the error object', async () => {
  const path = fc
    .array(fc.string({ maxLength: 20 }), { maxLength: 5 })
    .map((parts) => `/${parts.map((part) => encodeURIComponent(part.toWellFormed())).join('/')}`);
  const method = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS');
  const header = fc.string({ maxLength: 200 }).map((text) => text.replace(/[^\x20-\x7e]/g, ' ').trim());
  await fc.assert(
    fc.asyncProperty(path, method, header, async (address, verb, value) => {
      const headers = {
        authorization: value,
        'accept-language': value,
        'if-none-match': value,
        traceparent: value,
        'x-request-id': value,
      };
      expectGoodAnswer(await call(gateway.url + address, { method: verb, headers }));
    }),
    { numRuns: 150 },
  );
});

test.each([
  ['ten million opened lists', `{"evidences":${'['.repeat(10_000_000)}`],
  ['a million small objects', `{"a":[${'{},'.repeat(1_000_000)}{}]}`],
  ['a million short texts', `{"a":[${'"",'.repeat(1_000_000)}""]}`],
  ['a million fields', `{${Array.from({ length: 1_000_000 }, (_, index) => `"${index}":1`).join()}}`],
  ['twenty megabytes of one text', `{"city":"${'x'.repeat(20_000_000)}"}`],
  ['twenty megabytes of numbers where a text belongs', `{"city":[${'1,'.repeat(10_000_000)}1]}`],
])('%s are refused without harm', async (_what, body) => {
  const before = process.memoryUsage().heapUsed;
  const answer = await call(`${gateway.url}/collector/linked-partner/request`, {
    token,
    body,
    headers: { 'content-type': 'application/json' },
  });
  expectGoodAnswer(answer);
  expect([400, 413]).toContain(answer.status);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(600_000_000);
});
