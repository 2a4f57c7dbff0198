import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { createLogger } from '@rubrica/process/log';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createBodyReader } from '../src/server/body-reader.ts';
import { createCallers } from '../src/server/callers.ts';
import { createServer } from '../src/server/create-server.ts';
import { createGateway } from '../src/server/gateway/gateway.ts';
import { serveGateway } from '../src/server/serve-gateway.ts';
import { createSessionSeal } from '../src/server/session/sealed-session.ts';
import { formatSessionCookie } from '../src/server/session/session-cookie.ts';

const origin = 'https://consola.test';
const seal = createSessionSeal([randomBytes(32)]);
const nowMs = () => Date.now();

/** The gateway: answers each call with the number of bytes that came. */
const behind = createHttpServer((request, response) => {
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
  });
  request.on('end', () => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ result: { data: size } }));
  });
});
let port: number;
const owned = new AsyncDisposableStack();

beforeAll(async () => {
  behind.listen(0, '127.0.0.1');
  await once(behind, 'listening');
  owned.defer(() => void behind.close());
  const { port: behindPort } = behind.address() as AddressInfo;
  const gateway = createGateway({ url: `http://127.0.0.1:${behindPort}`, timeoutMs: 30_000 });
  owned.defer(() => gateway.close());
  const logger = createLogger({ service: 'console', level: 'silent', format: 'json' });
  const app = createServer({ trustProxy: ['127.0.0.1'], isHttps: true, logger });
  const callers = createCallers({ seal, keepFresh: async (session) => session });
  serveGateway(app, { gateway, callers, bodies: createBodyReader(), origin, nowMs });
  await app.listen({ host: '127.0.0.1', port: 0 });
  port = (app.server.address() as AddressInfo).port;
  owned.defer(() => {
    app.server.closeAllConnections();
    return app.close();
  });
});
afterAll(() => owned.disposeAsync());

const open: { destroy(): void }[] = [];
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy();
});

interface Begun {
  readonly path: string;
  /** Bytes that are announced. */
  readonly announced: number;
  /** Bytes that are sent of them. */
  readonly sent: number;
  readonly headers?: readonly string[];
  readonly from?: string;
}

/** Begins a call; gives the status of its answer, once there is one. */
function begin({ path, announced, sent, headers = [], from = '203.0.113.1' }: Begun) {
  let received = '';
  const head = [
    `POST /trpc/${path} HTTP/1.1`,
    'host: consola.test',
    `content-length: ${announced}`,
    `x-forwarded-for: ${from}`,
    ...[`origin: ${origin}`, 'content-type: application/json', ...headers],
  ];
  const socket = connect({ port, host: '127.0.0.1' });
  socket.setEncoding('utf8').on('data', (text) => {
    received += text;
  });
  socket.on('error', () => undefined).write(`${head.join('\r\n')}\r\n\r\n${'x'.repeat(sent)}`);
  open.push(socket);
  return { status: () => (received === '' ? undefined : Number(received.slice(9, 12))) };
}

function cookieOf(email: string): string {
  const session = { accessToken: 'a', accessEndsAtMs: nowMs() + 600_000, email } as const;
  return `cookie: ${formatSessionCookie({ ...session, role: 'admin', scope: 'full' }, seal).split(';')[0]}`;
}

test.each([
  ['without a session', 'partners.update', 1_000_000, 401],
  ['in a batch of sign-ins', 'auth.signIn,overview', 1_000, 400],
  ['as a sign-in of more than 16 KiB', 'auth.signIn', 16_385, 413],
])('a call %s is refused before a byte of its body has come', async (_kind, path, announced, status) => {
  const call = begin({ path, announced, sent: 0 });
  await expect.poll(call.status).toBe(status);
});

test("an operator's body is passed on, up to 1 MiB", async () => {
  const headers = [cookieOf('ana@firmas.test')];
  const whole = begin({ path: 'partners.update', announced: 1_048_576, sent: 1_048_576, headers });
  await expect.poll(whole.status).toBe(200);
  const larger = begin({ path: 'partners.update', announced: 1_048_577, sent: 0, headers });
  await expect.poll(larger.status).toBe(413);
});

const prompt = { path: 'auth.signIn', announced: 100, sent: 100, from: '198.51.100.7' };

test('slow sign-ins of one address hold a sixteenth of their room, and nobody else notices', async () => {
  const slow = Array.from({ length: 30 }, () =>
    begin({ path: 'auth.signIn', announced: 16_000, sent: 15_999 }),
  );
  const refused = () => slow.filter(({ status }) => status() === 429).length;
  await expect.poll(refused).toBe(30 - Math.floor((256 * 1024) / 15_999));
  await expect.poll(begin(prompt).status).toBe(200);
});

test('slow sign-ins of many addresses end for those that come at once', async () => {
  const count = Math.ceil((4 * 1024 * 1024) / 15_999);
  const slow = Array.from({ length: count }, (_, at) =>
    begin({ path: 'auth.signIn', announced: 16_000, sent: 15_999, from: `203.0.113.${at % 32}` }),
  );
  await expect.poll(() => slow.some(({ status }) => status() === 503)).toBe(true);
  for (let call = 0; call < 5; call += 1) await expect.poll(begin(prompt).status).toBe(200);
  expect(slow.filter(({ status }) => status() === undefined).length).toBeGreaterThan(count - 10);
});

test('slow bodies of one operator hold a quarter of their room, and nobody else notices', async () => {
  const slow = (email: string, calls: number) =>
    Array.from({ length: calls }, () =>
      begin({
        path: 'partners.update',
        ...{ announced: 1_000_000, sent: 999_999, headers: [cookieOf(email)] },
      }),
    );
  const greedy = slow('ana@firmas.test', 12);
  await expect.poll(() => greedy.filter(({ status }) => status() === 429).length).toBe(4);
  const headers = [cookieOf('luis@firmas.test')];
  const other = begin({ path: 'partners.update', announced: 900_000, sent: 900_000, headers });
  await expect.poll(other.status).toBe(200);
});

test('a body in chunks of one octet ends its connection', async () => {
  let received = '';
  const head = ['POST /trpc/auth.signIn HTTP/1.1', 'host: consola.test', `origin: ${origin}`];
  const headers = [...head, 'content-type: application/json', 'transfer-encoding: chunked'];
  const socket = connect({ port, host: '127.0.0.1' });
  socket.setEncoding('utf8').on('data', (text) => {
    received += text;
  });
  const closed = once(socket, 'close');
  socket.write(`${headers.join('\r\n')}\r\n\r\n${'1\r\nx\r\n'.repeat(10_000)}`);
  open.push(socket);
  await closed;
  expect(received).toMatch(/^HTTP\/1.1 400 /);
  expect(received).toMatch(/connection: close/i);
});
