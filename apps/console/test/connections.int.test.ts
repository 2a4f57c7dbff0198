import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createLogger } from '@rubrica/process/log';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createServer } from '../src/server/create-server.ts';
import { servePages } from '../src/server/pages/serve-pages.ts';

const logger = createLogger({ service: 'console', level: 'silent', format: 'json' });
const app = createServer({ trustProxy: undefined, isHttps: true, logger });
const start = { type: 'text/html', bytes: Buffer.from('start'), gzipped: undefined, isImmutable: false };

beforeAll(async () => {
  servePages(app, new Map([['/index.html', start]]));
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => {
  app.server.closeAllConnections();
  return app.close();
});

const open: Socket[] = [];
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy();
});

/** Sends the text on one connection, which stays open. */
async function send(text: string) {
  let received = '';
  const { port } = app.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  open.push(socket);
  socket.setEncoding('utf8').on('data', (chunk) => (received += chunk));
  // A reset is an end like any other.
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(text);
  return {
    answers: () => received.match(/HTTP\/1\.1 200/g)?.length ?? 0,
    isClosed: () => socket.closed,
  };
}

const call = 'GET /x HTTP/1.1\r\nhost: consola.test\r\n\r\n';

test('calls that are sent ahead are answered in turn', async () => {
  const connection = await send(call.repeat(100));
  await expect.poll(connection.answers).toBe(100);
  expect(connection.isClosed()).toBe(false);
});

test('a connection with many calls that nobody has answered ends', async () => {
  const connection = await send(call.repeat(2_000));
  await expect.poll(connection.isClosed).toBe(true);
  expect(connection.answers()).toBeLessThan(140);
});

const chunked = 'GET / HTTP/1.1\r\nhost: consola.test\r\ntransfer-encoding: chunked\r\n\r\n';

test('a connection with many small chunks that no page reads ends before the time for calls', async () => {
  const connection = await send(`${chunked}${'1\r\nx\r\n'.repeat(20_000)}`);
  await expect.poll(connection.isClosed, { timeout: 20_000 }).toBe(true);
  expect(connection.answers()).toBe(1);
});

test('a small body that no page reads is discarded, and its connection stays', async () => {
  const connection = await send(`${chunked}2\r\n{}\r\n0\r\n\r\n${call}`);
  await expect.poll(connection.answers).toBe(2);
  expect(connection.isClosed()).toBe(false);
});
