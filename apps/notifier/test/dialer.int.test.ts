import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net';

import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { readNetworks } from '@rubrica/process/networks';
import { createTransportAuthority } from '@rubrica/testkit/certificates';
import { afterEach, describe, expect, it } from 'vitest';
import { createDialer, type DialerOptions } from '../src/dialer/dialer.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function dialer(overrides: Partial<DialerOptions> = {}) {
  const made = createDialer({
    policy: { allowLoopback: true },
    budgetMs: 400,
    maxResponseBytes: 64 * 1024,
    connectionsPerDestination: 4,
    ...overrides,
  });
  cleanups.push(() => made.close());
  return made;
}

async function receiver(listener: RequestListener): Promise<{ url: string; port: number }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  cleanups.push(
    () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(resolve);
      }),
  );
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook?a=1`, port };
}

async function rawReceiver(onSocket: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createSocketServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    onSocket(socket);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  cleanups.push(
    () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(resolve);
      }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const post = { headers: { 'content-type': 'application/json' }, body: Buffer.from('{"a":"ñ"}') };

describe('the dialer', () => {
  it('sends the bytes and headers it was given and tells the status', async () => {
    const seen: unknown[] = [];
    const { url } = await receiver(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      seen.push(
        request.method,
        request.url,
        request.headers['content-type'],
        Buffer.concat(chunks).toString(),
      );
      response.writeHead(503, { 'retry-after': '7' }).end('no');
    });
    expect(await dialer().post({ ...post, url })).toEqual({
      kind: 'answered',
      status: 503,
      retryAfter: '7',
      start: 'no',
    });
    expect(seen).toEqual(['POST', '/hook?a=1', 'application/json', '{"a":"ñ"}']);
  });

  it('does not follow redirects', async () => {
    const paths: (string | undefined)[] = [];
    const { url } = await receiver((request, response) => {
      paths.push(request.url);
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    expect(await dialer().post({ ...post, url })).toMatchObject({ status: 307 });
    expect(paths).toEqual(['/hook?a=1']);
  });

  it('gives up on a receiver that never answers', async () => {
    const { url } = await receiver(() => undefined);
    expect(await dialer().post({ ...post, url })).toMatchObject({ failure: 'TIMEOUT' });
  });

  it('counts a body that drips a byte at a time against the same budget', async () => {
    const { url } = await receiver((_, response) => {
      response.writeHead(200, { 'content-length': '100000' });
      const drip = setInterval(() => response.write('x'), 50);
      response.on('close', () => clearInterval(drip));
    });
    expect(await dialer().post({ ...post, url })).toMatchObject({ failure: 'TIMEOUT' });
  });

  it('reads 64 KiB of an endless body and then hangs up', async () => {
    let written = 0;
    let closed = false;
    const { url } = await receiver((_, response) => {
      response.writeHead(200).on('close', () => {
        closed = true;
      });
      const pump = () => {
        while (!closed && response.write(Buffer.alloc(16_384))) written += 16_384;
      };
      response.on('drain', pump);
      pump();
    });
    expect(await dialer({ budgetMs: 5_000 }).post({ ...post, url })).toMatchObject({ status: 200 });
    await expect.poll(() => closed).toBe(true);
    expect(written).toBeLessThan(64 * 1024 * 1024);
  });

  it.each([
    ['resets', (socket: Socket) => socket.once('data', () => socket.resetAndDestroy()), 'CONNECTION_FAILED'],
    ['closes at once', (socket: Socket) => socket.end(), 'CONNECTION_FAILED'],
    ['answers with rubbish', (socket: Socket) => socket.end('rubbish\r\n\r\n'), 'RESPONSE_INVALID'],
    [
      'sends endless headers',
      (socket: Socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(40_000)}`),
      'RESPONSE_INVALID',
    ],
  ] as const)('explains a receiver that %s', async (_, behave, failure) => {
    const url = await rawReceiver(behave);
    expect(await dialer().post({ ...post, url })).toMatchObject({ kind: 'failed', failure });
  });

  it('explains a port where nobody listens and a name without address', async () => {
    const refused = await dialer().post({ ...post, url: 'http://127.0.0.1:1/' });
    expect(refused).toMatchObject({
      failure: 'CONNECTION_FAILED',
      message: 'the connection failed: ECONNREFUSED',
    });
    const unknown = await dialer().post({ ...post, url: 'https://nobody.invalid/' });
    expect(unknown).toMatchObject({ failure: 'NAME_NOT_RESOLVED' });
  });
});

describe('the destination guard', () => {
  it.each([
    'http://127.0.0.1:PORT/',
    'http://0177.0.0.1:PORT/',
    'http://2130706433:PORT/',
    'http://0x7f.1:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://localhost:PORT/',
    'https://127.0.0.1:PORT/',
    'http://user:secret@127.0.0.1:PORT/',
  ])('never reaches a loopback receiver at %s', async (address) => {
    let calls = 0;
    const { port } = await receiver((_, response) => {
      calls++;
      response.end();
    });
    const url = address.replace('PORT', String(port));
    const answer = await dialer({ policy: { allowLoopback: false } }).post({ ...post, url });
    expect(answer).toMatchObject({ kind: 'failed', failure: 'DESTINATION_FORBIDDEN' });
    expect(calls).toBe(0);
  });

  it('lets loopback pass where configuration allows it, and nothing else', async () => {
    const { port } = await receiver((_, response) => response.end());
    expect(await dialer().post({ ...post, url: `http://localhost:${port}/` })).toMatchObject({ status: 200 });
    for (const url of [
      'https://10.0.0.1/',
      'http://169.254.169.254/latest/meta-data',
      'https://[fd00::1]/',
    ]) {
      expect(await dialer().post({ ...post, url })).toMatchObject({ failure: 'DESTINATION_FORBIDDEN' });
    }
  });

  it('refuses plain http to a public address', async () => {
    expect(await dialer().post({ ...post, url: 'http://1.1.1.1/' })).toMatchObject({
      failure: 'DESTINATION_FORBIDDEN',
      message: '1.1.1.1 must be called with https',
    });
  });

  it('judges the address it dials when a name comes to mean another', async () => {
    const { port } = await receiver((_, response) => response.setHeader('connection', 'close').end());
    const meanings = ['127.0.0.1', '169.254.169.254'];
    const guarded = dialer({ resolve: async () => [{ address: meanings.shift() ?? '', family: 4 }] });
    const url = `http://rebinding.example:${port}/`;
    expect(await guarded.post({ ...post, url })).toMatchObject({ status: 200 });
    expect(await guarded.post({ ...post, url })).toMatchObject({
      failure: 'DESTINATION_FORBIDDEN',
      message: 'rebinding.example leads to an address that is not public and is not called',
    });
  });

  it('names the address of a name to the operator alone', async () => {
    const refused: object[] = [];
    const guarded = dialer({
      resolve: async () => [{ address: '10.20.30.40', family: 4 }],
      onRefused: (one) => refused.push(one),
    });
    const answer = await guarded.post({ ...post, url: 'https://intern.corp.example/' });
    expect(answer).toMatchObject({ failure: 'DESTINATION_FORBIDDEN' });
    const document = await guarded.get({ url: 'https://intern.corp.example/', budgetMs: 400, maxBytes: 10 });
    expect(JSON.stringify([answer, document])).not.toMatch(/10\.20|private/);
    const line = { host: 'intern.corp.example', address: '10.20.30.40', kind: 'private' };
    expect(refused).toEqual([line, line]);
  });

  it('calls a private address that configuration allows, and with https only', async () => {
    const { port } = await receiver((_, response) => response.end());
    const guarded = dialer({
      policy: { allowLoopback: false, allowedNetworks: readNetworks(['127.0.0.0/8']) },
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    });
    // The receiver speaks no TLS: that it fails there says that it was reached.
    expect(await guarded.post({ ...post, url: `https://own.example:${port}/` })).toMatchObject({
      failure: 'TLS_FAILED',
    });
    expect(await guarded.post({ ...post, url: `http://own.example:${port}/` })).toMatchObject({
      failure: 'DESTINATION_FORBIDDEN',
      message: 'own.example must be called with https',
    });
  });

  it('does not call ports of other services', async () => {
    const guarded = dialer({ policy: { allowLoopback: false } });
    expect(await guarded.post({ ...post, url: 'https://1.1.1.1:25/' })).toMatchObject({
      failure: 'DESTINATION_FORBIDDEN',
      message: 'port 25 is none of a web receiver and is not called',
    });
  });

  it('refuses a name that has a forbidden address among public ones', async () => {
    const guarded = dialer({
      resolve: async () => [
        { address: '93.184.215.14', family: 4 },
        { address: '10.0.0.7', family: 4 },
      ],
    });
    expect(await guarded.post({ ...post, url: 'https://mixed.example/' })).toMatchObject({
      failure: 'DESTINATION_FORBIDDEN',
    });
  });
});

describe('a connection', () => {
  it('to one destination waits while as many as are allowed are busy', async () => {
    let open = 0;
    let most = 0;
    const waiting: (() => void)[] = [];
    const { url } = await receiver((_, response) => {
      open += 1;
      most = Math.max(most, open);
      waiting.push(() => {
        open -= 1;
        response.end();
      });
    });
    const limited = dialer({ connectionsPerDestination: 2, budgetMs: 20_000 });
    const answers = Promise.all(Array.from({ length: 6 }, () => limited.post({ ...post, url })));
    for (let answered = 0; answered < 6; answered += 1) {
      await expect.poll(() => waiting.length).toBeGreaterThan(0);
      waiting.shift()?.();
    }
    expect((await answers).map((answer) => answer.kind)).toEqual(Array(6).fill('answered'));
    expect(most).toBe(2);
  });

  it('is used again, and a new one opened where the receiver has closed it', async () => {
    const ports = new Set<number | undefined>();
    let closes = false;
    const { url } = await receiver((request, response) => {
      ports.add(request.socket.remotePort);
      if (closes) response.setHeader('connection', 'close');
      response.end('so');
    });
    const kept = dialer();
    await kept.post({ ...post, url });
    closes = true;
    await kept.post({ ...post, url });
    expect(ports.size).toBe(1);
    expect(await kept.post({ ...post, url })).toMatchObject({ status: 200 });
    expect(ports.size).toBe(2);
  });

  it('whose turn does not come in time counts as any that gives no answer, and nothing is sent', async () => {
    const { promise: called, resolve: release } = Promise.withResolvers<() => void>();
    let calls = 0;
    const { url } = await receiver((_, response) => {
      calls += 1;
      release(() => response.end());
    });
    const limited = dialer({ connectionsPerDestination: 1, budgetMs: 20_000 });
    const first = limited.post({ ...post, url });
    const answerFirst = await called;
    expect(await limited.post({ ...post, url, budgetMs: 400 })).toMatchObject({ failure: 'TIMEOUT' });
    answerFirst();
    expect(await first).toMatchObject({ kind: 'answered', status: 200 });
    expect(calls).toBe(1);
  });

  it('ends with the dialer, with what is under way and what waits', async () => {
    const { url } = await receiver(() => undefined);
    const closed = dialer({ connectionsPerDestination: 1, budgetMs: 60_000 });
    const answers = [1, 2].map(() => closed.post({ ...post, url }));
    await closed.close();
    expect(await Promise.all(answers)).toMatchObject([{ kind: 'failed' }, { kind: 'failed' }]);
  });
});

describe('TLS', () => {
  const resolve = async () => [{ address: '127.0.0.1', family: 4 as const }];
  const trusted = getCACertificates('default');
  afterEach(() => setDefaultCACertificates(trusted));

  async function secureReceiver(): Promise<{ port: number; ca: string }> {
    const authority = await createTransportAuthority('receivers');
    const { certificate, key } = await authority.issue('serverAuth', { dnsNames: ['hook.example'] });
    const server = createSecureServer({ cert: certificate, key }, (_, response) => response.end('safe'));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    cleanups.push(
      () =>
        new Promise((done) => {
          server.closeAllConnections();
          server.close(done);
        }),
    );
    return { port: (server.address() as AddressInfo).port, ca: authority.certificate };
  }

  it('of a certificate that is trusted, for the name that is called, lets a delivery pass', async () => {
    const { port, ca } = await secureReceiver();
    setDefaultCACertificates([...trusted, ca]);
    expect(
      await dialer({ resolve, budgetMs: 20_000 }).post({ ...post, url: `https://hook.example:${port}/` }),
    ).toEqual({
      kind: 'answered',
      status: 200,
      retryAfter: undefined,
      start: 'safe',
    });
  });

  it('of a certificate for another name is refused', async () => {
    const { port, ca } = await secureReceiver();
    setDefaultCACertificates([...trusted, ca]);
    expect(
      await dialer({ resolve, budgetMs: 20_000 }).post({ ...post, url: `https://other.example:${port}/` }),
    ).toMatchObject({ failure: 'TLS_FAILED', message: 'TLS failed: ERR_TLS_CERT_ALTNAME_INVALID' });
  });

  it('of a certificate that nobody vouches for is refused, whatever the environment says', async () => {
    const { port } = await secureReceiver();
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    try {
      expect(
        await dialer({ resolve, budgetMs: 20_000 }).post({ ...post, url: `https://hook.example:${port}/` }),
      ).toMatchObject({ failure: 'TLS_FAILED' });
    } finally {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
    }
  });
});
