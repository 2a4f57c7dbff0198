import type { Operation } from '@rubrica/contracts/rest/operation';
import { operations } from '@rubrica/contracts/rest/operations';
import { disposeAfterAll } from '@rubrica/testkit';
import { expect, test } from 'vitest';
import { operator } from './support/fake-state.ts';
import { testGateway } from './support/gateway.ts';
import { call, rawExchange } from './support/http.ts';

const gateway = await disposeAfterAll(testGateway());

/** The answer to a call of whose body nothing was sent. */
function answerWithoutBody(method: string, path: string, headers: readonly string[] = []) {
  const head = [
    `${method} ${path} HTTP/1.1`,
    'host: gateway.test',
    'content-type: application/json',
    'content-length: 100000',
    ...headers,
  ];
  return rawExchange(gateway.port, `${head.join('\r\n')}\r\n\r\n`, (text) => text.includes('\r\n\r\n'));
}

const rows = Object.values(operations) as Operation[];
const withToken = [
  ...rows
    .filter(({ access, method }) => access !== 'public' && method !== 'GET')
    .map(({ method, path }) => [method, path] as const),
  ['POST', '/trpc/overview'],
  ['POST', '/trpc/partners.update'],
  ['POST', '/trpc/terms.createVersion,partners.update?batch=1'],
] as const;

test.each(withToken)('%s %s refuses a caller it does not know before anything of the body', async (...of) => {
  expect(await answerWithoutBody(...of)).toMatch(/^HTTP\/1\.1 401 /);
  expect(await answerWithoutBody(...of, ['authorization: Bearer rbk_guess'])).toMatch(/^HTTP\/1\.1 401 /);
});

test("a partner's token opens no operator's body", async () => {
  const headers = [`authorization: Bearer ${await gateway.token()}`];
  expect(await answerWithoutBody('POST', '/trpc/partners.update', headers)).toMatch(/^HTTP\/1\.1 401 /);
});

test('a refused batch is answered call by call, as the client of tRPC expects it', async () => {
  const answer = await call(`${gateway.url}/trpc/overview,terms.list?batch=1`, { body: { 0: {}, 1: {} } });
  expect(answer.status).toBe(401);
  const codes = answer
    .json<{ error: { data: { appCode: string } } }[]>()
    .map(({ error }) => error.data.appCode);
  expect(codes).toEqual(['UNAUTHENTICATED', 'UNAUTHENTICATED']);
});

test('a procedure that does not exist is 404 without a token too, in tRPC form', async () => {
  const answer = await call(`${gateway.url}/trpc/no.such`, { body: {} });
  expect(answer.json()).toMatchObject({ error: { data: { appCode: 'ROUTE_NOT_FOUND' } } });
});

const signIns = [
  ['/trpc/auth.signIn', 'application/json'],
  ['/trpc/auth.signIn,overview?batch=1', 'application/json'],
  ['/oauth/token', 'application/x-www-form-urlencoded'],
] as const;

test.each(signIns)('%s takes no body beyond 16 KiB, announced or not', async (path, type) => {
  const head = [`POST ${path} HTTP/1.1`, 'host: gateway.test', `content-type: ${type}`];
  const isAnswered = (text: string) => text.includes('\r\n\r\n');
  const announced = `${[...head, 'content-length: 16385'].join('\r\n')}\r\n\r\n`;
  expect(await rawExchange(gateway.port, announced, isAnswered)).toMatch(/^HTTP\/1\.1 413 /);
  const chunk = `${(16_385).toString(16)}\r\n${'x'.repeat(16_385)}\r\n`;
  const chunked = `${[...head, 'transfer-encoding: chunked'].join('\r\n')}\r\n\r\n${chunk}`;
  expect(await rawExchange(gateway.port, chunked, isAnswered)).toMatch(/^HTTP\/1\.1 413 /);
});

test("an operator's own calls may be as large as before", async () => {
  const { email, password } = operator;
  const signIn = await call(`${gateway.url}/trpc/auth.signIn`, { body: { email, password } });
  const { result } = signIn.json<{ result: { data: { accessToken: string } } }>();
  const answer = await call(`${gateway.url}/trpc/partners.create`, {
    token: result.data.accessToken,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Acme', email: 'it@acme.example' }) + ' '.repeat(500_000),
  });
  expect(answer.status).toBe(200);
});
