import { execFileSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { closeSync, constants, open, openSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { scratchDirectory } from '@rubrica/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDialer } from '../src/dialer/dialer.ts';
import { createResolveName, type ResolveNameOptions } from '../src/dialer/resolve-name.ts';

/** Answers `*.honest.test` with 127.0.0.1 and 10.0.0.7 for `private.honest.test`, and `*.dead.test` never. */
async function startNameServer() {
  const socket = createSocket('udp4');
  const waiting = new Set<string>();
  socket.on('message', (query, { address, port }) => {
    const { name, end } = readName(query);
    if (name.endsWith('.dead.test')) {
      waiting.add(name);
      return;
    }
    const isKnown = name.endsWith('.honest.test');
    const hasAddress = isKnown && query.readUInt16BE(end) === 1;
    const head = Buffer.from(query.subarray(0, 12));
    head.writeUInt16BE(isKnown ? 0x8180 : 0x8183, 2);
    head.writeUInt16BE(hasAddress ? 1 : 0, 6);
    head.writeUInt32BE(0, 8);
    const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 5, 0, 4, 127, 0, 0, 1]);
    const parts = [head, query.subarray(12, end + 4), ...(hasAddress ? [record] : [])];
    socket.send(Buffer.concat(parts), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  onTestFinished(() => void socket.close());
  return { servers: [`127.0.0.1:${socket.address().port}`], waiting };
}

/** First name of a query, in lower case, and the position behind it. */
function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

async function startWeb(): Promise<number> {
  const server = createServer((_, response) => response.writeHead(204).end()).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

function openDialer(names?: ResolveNameOptions) {
  const dialer = createDialer({
    policy: { allowLoopback: true },
    budgetMs: 10_000,
    connectionsPerDestination: 4,
    ...(names && { resolve: createResolveName(names) }),
  });
  onTestFinished(() => dialer.close());
  return (url: string) => dialer.post({ url, headers: {}, body: Buffer.from('{}') });
}

/** Takes every thread of libuv's pool until the test ends: opening a pipe waits for its other end. */
async function blockThreads(): Promise<void> {
  const folder = await scratchDirectory('pipes');
  const pipes = Array.from({ length: 16 }, (_, index) => join(folder.path, `pipe${index}`));
  execFileSync('mkfifo', pipes);
  const opened = pipes.map(
    (pipe) =>
      new Promise<void>((resolve) => {
        open(pipe, 'r', (_, descriptor) => {
          closeSync(descriptor);
          resolve();
        });
      }),
  );
  onTestFinished(async () => {
    const ends = pipes.map((pipe) => openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK));
    await Promise.all(opened);
    for (const end of ends) closeSync(end);
    await folder[Symbol.asyncDispose]();
  });
}

describe('names of receivers', () => {
  it('are found while nothing else in the process gets a thread', async () => {
    const port = await startWeb();
    const post = openDialer();
    await blockThreads();
    expect(await post(`http://localhost:${port}/`)).toMatchObject({ status: 204 });
  });

  it('that no name server answers hold up no other, and end by their own time', async () => {
    const { servers, waiting } = await startNameServer();
    const port = await startWeb();
    const post = openDialer({ servers, limitMs: 3_000 });
    const dead = Array.from({ length: 50 }, (_, index) => post(`http://a${index}.dead.test:${port}/`));
    let ended = 0;
    for (const one of dead) void one.then(() => ended++);
    await expect.poll(() => waiting.size).toBe(50);
    expect(await post(`http://partner.honest.test:${port}/`)).toMatchObject({ status: 204 });
    expect(ended).toBe(0);
    for (const answer of await Promise.all(dead)) {
      expect(answer).toMatchObject({
        failure: 'NAME_NOT_RESOLVED',
        message: 'the name servers of the host name did not answer',
      });
    }
  });

  it('without an address are told from those whose servers are silent', async () => {
    const { servers } = await startNameServer();
    expect(await openDialer({ servers })('https://nobody.test/')).toMatchObject({
      failure: 'NAME_NOT_RESOLVED',
      message: 'the host name has no address',
    });
  });

  it('are those of the hosts file first, and localhost is this machine', async () => {
    const { servers } = await startNameServer();
    const resolve = createResolveName({
      servers,
      readHosts: () =>
        '# own\n10.0.0.7\tintern.honest.test intern # a receiver\nfd00::7 intern.honest.test\n',
    });
    expect(await resolve('Intern.honest.test')).toEqual([
      { address: '10.0.0.7', family: 4 },
      { address: 'fd00::7', family: 6 },
    ]);
    expect(await resolve('partner.honest.test')).toEqual([{ address: '127.0.0.1', family: 4 }]);
    for (const name of ['localhost', 'app.localhost'])
      expect(await resolve(name)).toContainEqual({ address: '127.0.0.1', family: 4 });
  });
});
