import { errorCatalogue } from '@rubrica/contracts/shared/errors';
import { disposeAfterAll } from '@rubrica/testkit';
import { expect, test } from 'vitest';
import { linkedPartnerBody } from './support/bodies.ts';
import { testGateway } from './support/gateway.ts';
import { call, rawExchange } from './support/http.ts';

const registerPath = '/collector/linked-partner/request';

const gateway = await disposeAfterAll(
  testGateway({
    REQUEST_TIMEOUT_SECONDS: '16',
    BODY_LIMITS_BYTES: 'cancelLinkedPartner=2000',
  }),
);
const token = await gateway.token();

function register(body: unknown, headers: Record<string, string> = {}) {
  return call(`${gateway.url}${registerPath}`, { token, body, headers });
}

function bodyOf(exchange: string) {
  return JSON.parse(exchange.slice(exchange.indexOf('\r\n\r\n') + 4));
}

test('an unknown address is 404 with the error object, and does not tell the query', async () => {
  const answer = await call(`${gateway.url}/nowhere?cedula=1710034065`, {
    headers: { 'accept-language': 'es-EC,es;q=0.9' },
  });
  expect(answer.status).toBe(404);
  expect(answer.error()).toMatchObject({
    code: 'ROUTE_NOT_FOUND',
    path: '/nowhere',
    message: errorCatalogue.ROUTE_NOT_FOUND.es,
  });
  expect(answer.headers.get('content-language')).toBe('es');
});

test.each([
  ['GET', registerPath, 'POST'],
  ['DELETE', '/middleware/signature-request/status', 'GET, HEAD'],
  ['PUT', '/pki/root.cer', 'GET, HEAD'],
  ['PUT', '/trpc/overview', 'GET, HEAD, POST'],
  ['OPTIONS', registerPath, 'POST'],
])('%s %s is 405 and says what is allowed', async (method, path, allow) => {
  const answer = await call(gateway.url + path, { method });
  expect(answer.status).toBe(405);
  expect(answer.headers.get('allow')).toBe(allow);
  expect(answer.error().code).toBe('METHOD_NOT_ALLOWED');
});

test.each([
  ['/%zz', 400, 'BODY_MALFORMED'],
  [`/pki/${'x'.repeat(3_000)}`, 404, 'ROUTE_NOT_FOUND'],
  ['//', 404, 'ROUTE_NOT_FOUND'],
])('the address %s is answered %d with the error object', async (path, status, code) => {
  const exchange = await rawExchange(
    gateway.port,
    `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
  );
  expect(exchange).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(bodyOf(exchange)).toMatchObject({ code, status });
});

test('every answer carries x-request-id, which a caller may choose, and a traceparent is kept', async () => {
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const chosen = await call(`${gateway.url}/nowhere`, {
    headers: { 'x-request-id': 'my-id.1', traceparent },
  });
  expect(chosen.headers.get('x-request-id')).toBe('my-id.1');
  expect(chosen.error().traceId).toBe('4bf92f3577b34da6a3ce929d0e0e4736');
  const made = await call(`${gateway.url}/health`, {
    headers: { 'x-request-id': 'not allowed!', traceparent: 'junk' },
  });
  expect(made.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
});

test('request id and trace reach the services behind', async () => {
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const headers = { 'x-request-id': 'followed', traceparent };
  await call(`${gateway.url}/pki/followed.crl`, { headers });
  expect(gateway.state.asked.at(-1)).toMatchObject({ requestId: 'followed', traceparent });
});

test.each([
  ['text/plain', 'x', 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['application/json; charset=iso-8859-1', '{}', 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['application/jsonx', '{}', 415, 'UNSUPPORTED_MEDIA_TYPE'],
  [';;;', '{}', 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['application/json', '{"a":', 400, 'BODY_MALFORMED'],
  ['application/json', '', 400, 'BODY_MALFORMED'],
  ['application/json', '[]', 400, 'BODY_MALFORMED'],
  ['application/json', 'null', 400, 'BODY_MALFORMED'],
  ['application/json', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 400, 'BODY_MALFORMED'],
  ['application/json', `{"a":${'['.repeat(100)}${']'.repeat(100)}}`, 400, 'BODY_MALFORMED'],
  ['application/json', '{"__proto__":{"admin":true}}', 400, 'BODY_MALFORMED'],
  ['application/json', '{"a":{"constructor":{"prototype":{"admin":true}}}}', 400, 'BODY_MALFORMED'],
])('a %s body %j is %d %s', async (type, body, status, code) => {
  const answer = await register(body, { 'content-type': type });
  expect(answer.status).toBe(status);
  expect(answer.error().code).toBe(code);
  expect(({} as Record<string, unknown>).admin).toBeUndefined();
});

test('a compressed body and a call without any body are told so', async () => {
  const zipped = await register('x', { 'content-type': 'application/json', 'content-encoding': 'gzip' });
  expect(zipped.error()).toMatchObject({ status: 415, message: 'The body must not be compressed' });
  const none = await call(`${gateway.url}${registerPath}`, { method: 'POST', token });
  expect(none.error()).toMatchObject({ status: 400, message: 'A JSON body is required; none was sent' });
});

test('a byte order mark before the body does no harm', async () => {
  const answer = await register(`\ufeff${JSON.stringify(linkedPartnerBody())}`, {
    'content-type': 'application/json',
  });
  expect(answer.status).toBe(200);
});

test('what is wrong with the token comes before what is wrong with the body', async () => {
  const url = `${gateway.url}${registerPath}`;
  const headers = { 'content-type': 'text/plain' };
  expect((await call(url, { body: 'x', headers })).status).toBe(401);
  const weak = await gateway.token('status:read');
  expect((await call(url, { body: 'x', headers, token: weak })).status).toBe(403);
});

test('a body over its configured limit is 413, announced or found out while reading', async () => {
  const url = `${gateway.url}/manager/linked-partner/cancel-request`;
  const announced = await call(url, { token, body: { reason: 'x'.repeat(2_000) } });
  expect(announced.error()).toMatchObject({ status: 413, code: 'BODY_TOO_LARGE' });
  const head = `POST /manager/linked-partner/cancel-request HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const chunk = `3e8\r\n${'x'.repeat(1_000)}\r\n`;
  const exchange = await rawExchange(gateway.port, [head, chunk, chunk, chunk], (text) =>
    text.includes('traceId'),
  );
  expect(exchange).toMatch(/^HTTP\/1.1 413 /);
});

test('a client that is still sending sees the early answer, and is cut off 5 s later', async () => {
  const head = `POST ${registerPath} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 60000000\r\n\r\n`;
  const exchange = await rawExchange(gateway.port, [head, 'x'.repeat(2_000_000)]);
  expect(exchange).toMatch(/^HTTP\/1.1 401 /);
  expect(bodyOf(exchange)).toMatchObject({ code: 'UNAUTHENTICATED' });
});

test('after an early answer whose body arrives in time the connection goes on', async () => {
  const first = `POST ${registerPath} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"a":"b"}`;
  const second = 'GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
  const exchange = await rawExchange(gateway.port, [first, second]);
  expect(exchange.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200']);
});

test.each([
  ['no HTTP at all', 'hello\r\n\r\n'],
  ['two lengths', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
  [
    'a length and chunks',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
  ],
  ['headers beyond the limit', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
  ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: a\r\nX: a\u0000b\r\n\r\n'],
])('%s is answered with the error object and the connection ends', async (_what, bytes) => {
  const exchange = await rawExchange(gateway.port, bytes);
  expect(exchange).toMatch(/^HTTP\/1.1 400 /);
  expect(exchange).toMatch(/x-request-id: /);
  expect(bodyOf(exchange)).toMatchObject({ code: 'BODY_MALFORMED', status: 400 });
});

test.each([
  [
    'an unknown expectation',
    'GET /health HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\nConnection: close\r\n\r\n',
    200,
  ],
  ['no Host', 'GET /nowhere HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  ['an unknown method', 'PROPFIND /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 405],
])('%s gets no bare answer of Node', async (_what, bytes, status) => {
  expect(await rawExchange(gateway.port, bytes)).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*x-request-id`));
});

test('a client that breaks off in the middle of its body disturbs no other call', async () => {
  const head = `POST ${registerPath} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`;
  const { connect } = await import('node:net');
  await new Promise<void>((resolve) => {
    const socket = connect({ port: gateway.port, host: '127.0.0.1' }, () => {
      socket.write(head, () => socket.destroy());
    });
    socket.on('close', () => resolve());
  });
  expect((await call(`${gateway.url}/health`)).status).toBe(200);
  expect(gateway.lines.join('')).not.toContain('request failed');
});

test('answers forbid framing, sniffing and caching, and send no CORS header', async () => {
  const { headers } = await call(`${gateway.url}/health`, { headers: { origin: 'https://evil.example' } });
  expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('access-control-allow-origin')).toBeNull();
});

test('an answer of tRPC has one length, also where its caller asks for a stream of lines', async () => {
  const head =
    'GET /trpc/overview,overview?batch=1&input=%7B%7D HTTP/1.1\r\nHost: a\r\nConnection: close\r\n';
  const answer = await rawExchange(gateway.port, `${head}trpc-accept: application/jsonl\r\n\r\n`);
  const names = answer.split('\r\n\r\n')[0]?.toLowerCase() ?? '';
  expect(names).toMatch(/\r\ncontent-length: \d+/);
  expect(names).not.toContain('transfer-encoding');
});
