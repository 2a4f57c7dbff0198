import { type AddressInfo, createServer, type Socket } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDialer } from '../src/dialer/dialer.ts';

/** One answer as the receiver writes it: octets, and where the packets end. */
interface Written {
  readonly octets: Buffer;
  readonly cuts: readonly number[];
  readonly end: boolean;
}

let answer: Written;
let calls = 0;
const sockets = new Set<Socket>();

/** Answers each request, whose body has ended, with `answer`; whatever is written, packet by packet. */
const server = createServer({ noDelay: true }, (socket) => {
  sockets.add(socket);
  socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  let received = '';
  socket.on('data', (piece) => {
    received += piece.toString('latin1');
    if (!received.includes('\r\n\r\n') || !received.endsWith('the body')) return;
    received = '';
    calls += 1;
    void write(socket, answer);
  });
});

async function write(socket: Socket, { octets, cuts, end }: Written): Promise<void> {
  let from = 0;
  for (const to of [...cuts.filter((cut) => cut < octets.length), octets.length].toSorted((a, b) => a - b)) {
    await new Promise((resolve) => socket.write(octets.subarray(from, to), resolve));
    await new Promise((resolve) => setImmediate(resolve));
    from = to;
  }
  if (end) socket.end();
}

const dialer = createDialer({
  policy: { allowLoopback: true },
  budgetMs: 20_000,
  connectionsPerDestination: 1,
});
let url = '';
const post = () =>
  dialer.post({ url, headers: { 'content-type': 'application/json' }, body: Buffer.from('the body') });

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(async () => {
  await dialer.close();
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

const header = fc.tuple(fc.stringMatching(/^[A-Za-z][A-Za-z-]{0,15}$/), fc.stringMatching(/^[!-~]{0,30}$/));
const headers = fc
  .array(header, { maxLength: 4 })
  .map((all) => all.map(([name, value]) => `x-${name}: ${value}\r\n`).join(''));
/** 101 says that no HTTP follows, and only where it was asked for. */
const informational = fc
  .tuple(
    fc.oneof(fc.constantFrom(100, 102, 103), fc.integer({ min: 104, max: 199 })),
    fc.constantFrom('', 'Continue', 'Early Hints'),
    headers,
  )
  .map(([status, reason, lines]) => `HTTP/1.1 ${status} ${reason}\r\n${lines}\r\n`);
const final = fc
  .record({
    status: fc.constantFrom(200, 201, 202, 204, 400, 410, 429, 500, 503),
    lines: headers,
    body: fc.stringMatching(/^[ -~]{0,60}$/),
    isChunked: fc.boolean(),
  })
  .map(({ status, lines, body, isChunked }) => {
    const start = `HTTP/1.1 ${status} Said\r\nretry-after: 9\r\n${lines}`;
    if (status === 204) return { status, start: '', text: `${start}\r\n` };
    const chunk = body === '' ? '' : `${body.length.toString(16)}\r\n${body}\r\n`;
    const text = isChunked
      ? `${start}transfer-encoding: chunked\r\n\r\n${chunk}0\r\n\r\n`
      : `${start}content-length: ${body.length}\r\n\r\n${body}`;
    return { status, start: body, text };
  });
const cuts = fc.array(fc.nat(1_500), { maxLength: 8 });

describe('informational responses of a receiver', () => {
  it('are skipped, however many come and wherever the packets end; the request is sent once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(informational, { maxLength: 12 }),
        final,
        cuts,
        async (before, last, ends) => {
          answer = { octets: Buffer.from(before.join('') + last.text, 'latin1'), cuts: ends, end: false };
          const callsBefore = calls;
          const got = await post();
          const { status, start } = last;
          expect(got).toEqual({ kind: 'answered', status, retryAfter: '9', start });
          expect(calls).toBe(callsBefore + 1);
        },
      ),
      { numRuns: 300 },
    );
    // One connection carried them all: what came before an answer did not cost it.
    expect(sockets.size).toBe(1);
  });

  it('without an end are none: the connection is closed', async () => {
    answer = { octets: Buffer.from('HTTP/1.1 102 Processing\r\n\r\n'.repeat(5_000)), cuts: [], end: false };
    expect(await post()).toMatchObject({ kind: 'failed', failure: 'RESPONSE_INVALID' });
    await expect.poll(() => sockets.size).toBe(0);
  });

  it('that switch to another protocol are no answer', async () => {
    const switching = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n';
    answer = { octets: Buffer.from(switching), cuts: [], end: false };
    expect(await post()).toMatchObject({ kind: 'failed', failure: 'RESPONSE_INVALID' });
    await expect.poll(() => sockets.size).toBe(0);
  });
});

describe('an answer that is cut short', () => {
  it.each([
    ['200 with less than its length', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\npart', 200],
    ['200 without anything of its body', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n', 200],
    ['202 in the middle of a chunk', 'HTTP/1.1 202 OK\r\ntransfer-encoding: chunked\r\n\r\nff\r\npart', 202],
    [
      '200 with a chunk that is none',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\npart',
      200,
    ],
    ['410 with less than its length', 'HTTP/1.1 410 Gone\r\ncontent-length: 100\r\n\r\npart', 410],
    ['200 after a 100', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\npart', 200],
  ])('is the answer that its status says: %s', async (_what, text, status) => {
    answer = { octets: Buffer.from(text), cuts: [text.indexOf('\r\n\r\n') + 4], end: true };
    expect(await post()).toMatchObject({ kind: 'answered', status });
  });

  it('is none where not even the head was whole', async () => {
    answer = { octets: Buffer.from('HTTP/1.1 200 OK\r\ncontent-len'), cuts: [], end: true };
    expect(await post()).toMatchObject({ kind: 'failed', failure: 'CONNECTION_FAILED' });
  });
});
