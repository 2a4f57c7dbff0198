import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { shedIdle } from '../src/http/shed-idle.ts';

const call = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

test('a caller is served though others have as many idle connections as the server takes', async () => {
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
  const sockets: Socket[] = [];
  const visit = async () => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    sockets.push(socket);
    owned.defer(() => void socket.destroy());
    socket.write(call);
    const answer = await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => [''])]);
    return String(answer[0]).includes('served');
  };
  const visits: boolean[] = [];
  while (visits.length < 60) visits.push(await visit());
  expect(visits).toEqual(Array(60).fill(true));
});
