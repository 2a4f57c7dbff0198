import { disposeAfterAll } from '@rubrica/testkit';
import { afterEach, expect, test } from 'vitest';
import { testGateway } from './support/gateway.ts';
import { rawSocket, type SlowSocket } from './support/slow-socket.ts';

/** Idle connections end after 72 seconds. */
const lessThanKeptMs = 30_000;
const form = 'application/x-www-form-urlencoded';
const link = 'A'.repeat(43);
const registration = '/collector/linked-partner/request';
const gateway = await disposeAfterAll(testGateway());
const token = await gateway.token();

const open: SlowSocket[] = [];
afterEach(() => {
  for (const socket of open.splice(0)) socket.abort();
});

interface ChunkedCall {
  readonly method?: string;
  readonly path: string;
  readonly type?: string;
  readonly body: string;
  readonly chunkBytes: number;
  /** Size of a chunk before these, in bytes. */
  readonly firstBytes?: number;
}

function sendChunks(call: ChunkedCall) {
  const { method = 'POST', path, type = 'application/json', body, chunkBytes, firstBytes = 0 } = call;
  const chunks = Array.from({ length: Math.ceil(body.length / chunkBytes) }, (_, index) =>
    body.slice(index * chunkBytes, (index + 1) * chunkBytes),
  );
  const head = [
    `${method} ${path} HTTP/1.1`,
    'host: gateway.test',
    `content-type: ${type}`,
    `authorization: Bearer ${token}`,
    'transfer-encoding: chunked',
  ];
  if (firstBytes > 0) chunks.unshift(' '.repeat(firstBytes));
  const sent = chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('');
  const socket = rawSocket(gateway.port, `${head.join('\r\n')}\r\n\r\n${sent}0\r\n\r\n`);
  open.push(socket);
  return socket;
}

test.each([
  { path: '/oauth/token', type: form },
  { path: '/trpc/auth.signIn' },
  { path: `/claim/${link}`, type: form },
  { path: '/pki/ocsp', type: 'application/ocsp-request' },
  { path: registration },
])('a body in chunks of one octet ends its connection: $path', async (door) => {
  const socket = sendChunks({ ...door, body: ' '.repeat(60_000), chunkBytes: 1 });
  await expect.poll(socket.isClosed).toBe(true);
  expect(socket.status()).toBe(400);
  if (!door.path.startsWith('/claim')) expect(socket.received()).toContain('too many small chunks');
});

test.each([
  ['that nobody reads', '/collector/linked-partner/requests-that-are-none'],
  ['of a batch', '/collector/linked-partner/batch'],
])('the connection ends too with a body %s', async (_whose, path) => {
  const type = 'application/x-ndjson';
  const socket = sendChunks({ path, type, body: ' '.repeat(60_000), chunkBytes: 1 });
  await expect.poll(socket.isClosed).toBe(true);
});

test.each([
  ['GET', '/health'],
  ['HEAD', '/health'],
  ['GET', '/.well-known/jwks.json'],
  ['GET', '/openapi.json'],
])('the connection ends too with a body that %s %s answers without', async (method, path) => {
  const socket = sendChunks({ method, path, body: ' '.repeat(60_000), chunkBytes: 1 });
  await expect.poll(socket.isClosed, { timeout: lessThanKeptMs }).toBe(true);
  expect(socket.status()).toBe(200);
});

test('the connection ends too with a body that has arrived before its answer', async () => {
  const socket = sendChunks({
    method: 'GET',
    path: `/claim/${link}`,
    body: ' '.repeat(60_000),
    chunkBytes: 1,
  });
  await expect.poll(socket.isClosed, { timeout: lessThanKeptMs }).toBe(true);
});

test('a small body that a route answers without is discarded, and its connection stays', async () => {
  const socket = sendChunks({ method: 'GET', path: '/health', body: '{}', chunkBytes: 2 });
  await expect.poll(socket.status).toBe(200);
  socket.send('GET /x HTTP/1.1\r\nhost: gateway.test\r\n\r\n');
  await expect.poll(socket.received).toContain('HTTP/1.1 404');
  expect(socket.isClosed()).toBe(false);
});

test.each([
  ['that nobody reads', '/collector/linked-partner/requests-that-are-none'],
  ['of a registration', registration],
  ['of a batch', '/collector/linked-partner/batch'],
])('a large chunk does not pay for small ones after it in a body %s', async (_whose, path) => {
  const type = path.endsWith('batch') ? 'application/x-ndjson' : 'application/json';
  const socket = sendChunks({ path, type, body: ' '.repeat(60_000), chunkBytes: 1, firstBytes: 2_000_000 });
  await expect.poll(socket.isClosed, { timeout: lessThanKeptMs }).toBe(true);
});

test.each([
  ['64 octets', 64, 100_000],
  ['one octet, no more than 1,000 of them', 1, 900],
])('a body in chunks of %s is read, and its connection stays', async (_size, chunkBytes, bytes) => {
  const socket = sendChunks({ path: registration, body: '{}'.padStart(bytes), chunkBytes });
  await expect.poll(socket.received).toContain('"referenceTransaction"');
  expect(socket.received()).not.toMatch(/connection: close/i);
});
