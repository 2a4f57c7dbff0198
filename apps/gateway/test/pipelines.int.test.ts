import { disposeAfterAll } from '@rubrica/testkit';
import { afterEach, expect, test } from 'vitest';
import { testGateway } from './support/gateway.ts';
import { rawSocket, type SlowSocket } from './support/slow-socket.ts';

const gateway = await disposeAfterAll(testGateway());

const open: SlowSocket[] = [];
afterEach(() => {
  for (const socket of open.splice(0)) socket.abort();
});

function send(calls: number): SlowSocket {
  const socket = rawSocket(gateway.port, 'GET /x HTTP/1.1\r\nhost: gateway.test\r\n\r\n'.repeat(calls));
  open.push(socket);
  return socket;
}
const answers = (socket: SlowSocket) => socket.received().match(/HTTP\/1\.1 404/g)?.length ?? 0;

test('calls that are sent ahead are answered in turn', async () => {
  const socket = send(100);
  await expect.poll(() => answers(socket)).toBe(100);
  expect(socket.isClosed()).toBe(false);
});

test('a connection with many calls that nobody has answered ends', async () => {
  const socket = send(2_000);
  await expect.poll(socket.isClosed).toBe(true);
  expect(answers(socket)).toBeLessThan(140);
});
