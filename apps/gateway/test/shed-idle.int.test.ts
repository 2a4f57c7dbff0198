import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { shedIdle } from '../src/http/shed-idle.ts';

const call = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

test.each([
  ['idle', call],
  ['silent', ''],
])('a caller is served though others have as many %s connections as the server takes', async (_, said) => {
  await using ground = await smallServer();
  for (let other = 0; other < 60; other += 1) await ground.open(said);
  expect(await ground.visit()).toBe(true);
  for (let other = 0; other < 30; other += 1) await ground.open(said);
  expect(await ground.visit()).toBe(true);
});

/** Takes twenty connections, and answers each call. */
async function smallServer() {
  await using owned = new AsyncDisposableStack();
  const server = createServer({ keepAliveTimeout: 60_000 }, (_, response) => response.end('served'));
  server.maxConnections = 20;
  shedIdle(server, server.maxConnections);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  owned.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const held = owned.move();
  const connected = async () => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    held.defer(() => void socket.destroy());
    await once(socket, 'connect');
    return socket;
  };
  const answered = async (socket: Socket) => {
    const ended = once(socket, 'close').then(() => ['']);
    const [answer] = await Promise.race([once(socket, 'data'), ended]);
    return String(answer).includes('served');
  };
  return {
    /** Connects, and makes the call if there is one. */
    async open(said: string) {
      const socket = await connected();
      if (said === '') return;
      socket.write(said);
      await answered(socket);
    },
    async visit() {
      const socket = await connected();
      socket.write(call);
      return answered(socket);
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}
