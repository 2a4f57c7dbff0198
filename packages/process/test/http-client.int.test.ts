import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { createHttpClient } from '../src/http/http-client.ts';

/** Answers every request with these bytes. */
async function answering(bytes: string) {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).on('data', () => socket.write(bytes));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = createHttpClient({ connections: 1 });
  const read = async () => {
    const url = new URL(`http://127.0.0.1:${port}/`);
    const signal = AbortSignal.timeout(60_000);
    const answer = await client.send({ url, method: 'POST', headers: {}, body: 'x', signal });
    let size = 0;
    for await (const chunk of answer) size += chunk.length;
    return size;
  };
  const close = async () => {
    client.close();
    server.close();
  };
  return { read, [Symbol.asyncDispose]: close };
}

const chunkedHead = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';

it('an answer in many chunks of one octet is not read to its end', async () => {
  await using receiver = await answering(`${chunkedHead}${'1\r\nx\r\n'.repeat(5_000)}0\r\n\r\n`);
  await expect(receiver.read()).rejects.toMatchObject({ code: 'HPE_RESPONSE_INVALID' });
});

it('an answer in larger chunks is, and its connection is used again', async () => {
  await using receiver = await answering(
    `${chunkedHead}${`40\r\n${'x'.repeat(64)}\r\n`.repeat(5_000)}0\r\n\r\n`,
  );
  expect(await receiver.read()).toBe(320_000);
  expect(await receiver.read()).toBe(320_000);
});

it('more informational answers than are read end the request', async () => {
  await using receiver = await answering(
    `${'HTTP/1.1 103 E\r\n\r\n'.repeat(3_000)}HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok`,
  );
  await expect(receiver.read()).rejects.toMatchObject({ code: 'HPE_RESPONSE_INVALID' });
});

it('large informational answers end the request sooner than small ones', async () => {
  const informational = (count: number) => `HTTP/1.1 103 E\r\n${'a:\r\n'.repeat(2_000)}\r\n`.repeat(count);
  const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
  await using some = await answering(`${informational(5)}${answer}`);
  expect(await some.read()).toBe(2);
  await using many = await answering(`${informational(20)}${answer}`);
  await expect(many.read()).rejects.toMatchObject({ code: 'HPE_RESPONSE_INVALID' });
});

it('bytes after the answer end its connection, and the next request has one of its own', async () => {
  await using receiver = await answering(
    `HTTP/1.1 200 OK\r\ncontent-length: 3000\r\n\r\n${'x'.repeat(3_000)}${'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'.repeat(100)}`,
  );
  expect(await receiver.read()).toBe(3_000);
  expect(await receiver.read()).toBe(3_000);
});
