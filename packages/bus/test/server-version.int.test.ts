import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';
import { disposeAfterAll, testNats } from '@rubrica/testkit';
import { afterAll, expect, test } from 'vitest';
import { connectBus } from '../src/index.ts';

let version = '2.10.27';
const sockets = new Set<Socket>();
/** A real nats-server behind a relay that changes what version it says it has. */
const nats = await disposeAfterAll(testNats());
const relay = createServer((client) => {
  const server = dial(nats.port, '127.0.0.1');
  for (const socket of [client, server]) {
    sockets.add(socket);
    socket.on('error', () => undefined);
  }
  client.pipe(server);
  server.once('data', (greeting) => {
    client.write(
      greeting.toString('latin1').replace(/"version":"[^"]*"/, `"version":"${version}"`),
      'latin1',
    );
    server.pipe(client);
  });
  client.on('close', () => server.destroy());
  server.on('close', () => client.destroy());
});
await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));

afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  relay.close();
});

/** `0.0.0.0` reaches this machine too, and is no loopback address. */
const at = (host: string) =>
  connectBus({ servers: `nats://${host}:${(relay.address() as AddressInfo).port}`, name: 'client' });

test('a server that is too old is refused away from loopback and taken there', async () => {
  version = '2.9.10';
  await expect(at('0.0.0.0')).rejects.toThrow(/nats-server 2\.9\.10 at 0\.0\.0\.0:\d+ is too old/);
  const bus = await at('127.0.0.1');
  await bus.close();
  expect(await bus.closed).toBeUndefined();
});

test('a connection ends with the reason when it comes back to a server that is too old', async () => {
  version = '2.10.27';
  const bus = await at('0.0.0.0');
  version = '2.10.26';
  for (const socket of sockets) socket.destroy();
  expect((await bus.closed)?.message).toContain('nats-server 2.10.26');
});
