import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { createLogger } from '@rubrica/process/log';
import { createMetrics } from '@rubrica/process/metrics';
import { scratchDirectory } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { CallEnd } from '../src/outside/judge-answer.ts';
import { createOutsideMetrics } from '../src/outside/outside-metrics.ts';
import { createOutsideSystem, type OutsideOptions } from '../src/outside/outside-system.ts';
import { drip, hang, json, reset, startOutsideServer, status } from './support/outside-server.ts';

const requestId = '01900000-0000-7000-8000-000000000001';
const schema = z.object({ n: z.number() });
function found(n = 1) {
  return { outcome: 'found', value: { n } };
}

const unavailable = { outcome: 'unavailable' };

async function setUp(
  overrides: Partial<OutsideOptions> & { server?: Parameters<typeof startOutsideServer>[0] } = {},
) {
  await using owned = new AsyncDisposableStack();
  const server = owned.use(await startOutsideServer({ usual: json({ n: 1 }), ...overrides.server }));
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk, _, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const metrics = createMetrics({ service: 'intake' });
  const clock = { nowMs: 0 };
  const system = createOutsideSystem({
    name: 'civil-registry',
    baseUrl: `${server.url}/v1`,
    token: 'registry-token',
    timeoutMs: 500,
    budgetMs: 2_000,
    connections: 4,
    logger: createLogger({ service: 'intake', level: 'info', format: 'json', destination }),
    metrics: createOutsideMetrics(metrics),
    breaker: { failures: 3, pauseMs: 1_000 },
    nowMs: () => clock.nowMs,
    ...overrides,
  });
  owned.defer(() => system.close());
  const held = owned.move();
  return {
    server,
    clock,
    ask: (call: { signal?: AbortSignal; method?: 'GET' | 'POST' } = {}) =>
      system.call({
        method: 'POST',
        path: '/lookup',
        ...(call.method !== 'GET' && { body: { cedula: '1710034065' } }),
        schema,
        requestId,
        attempt: 2,
        signal: new AbortController().signal,
        ...call,
      }),
    log: () => lines.join(''),
    metric: async (name: string) =>
      (await metrics.text()).split('\n').filter((line) => line.startsWith(name)),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

type SetUp = Awaited<ReturnType<typeof setUp>>;
type Fault = SetUp['server']['usual'];

async function outcomes({ metric }: SetUp) {
  return (await metric('rubrica_outside_calls_total')).map((line) =>
    /outcome="([^"]+)",[^}]*} (\d+)/.exec(line)?.slice(1),
  );
}

describe('a call of an outside system', () => {
  it('carries the token, the request and the key of the question, below the base address', async () => {
    await using my = await setUp();
    expect(await my.ask()).toEqual(found());
    expect(my.server.calls).toMatchObject([
      {
        method: 'POST',
        path: '/v1/lookup',
        body: { cedula: '1710034065' },
        headers: {
          authorization: 'Bearer registry-token',
          'content-type': 'application/json',
          'idempotency-key': `${requestId}:2`,
          'x-request-id': requestId,
        },
      },
    ]);
  });

  it('carries no key where it only asks how things stand', async () => {
    await using my = await setUp();
    expect(await my.ask({ method: 'GET' })).toEqual(found());
    expect(my.server.calls[0]?.headers).not.toHaveProperty('idempotency-key');
  });

  it('uses connections again', async () => {
    await using my = await setUp();
    for (let i = 0; i < 20; i++) await my.ask();
    // One may still be tidying up after its answer when the next call comes.
    expect(my.server.connections()).toBeLessThanOrEqual(2);
  });

  it('believes a 404 only where it says itself that nobody is there', async () => {
    await using my = await setUp();
    my.server.faults.push(json({ code: 'NOT_FOUND' }, 404), json({ error: 'no route' }, 404), status(404));
    expect(await my.ask()).toEqual({ outcome: 'not-found' });
    expect(await my.ask()).toEqual(unavailable);
    expect(await my.ask()).toEqual(unavailable);
    expect(my.server.calls.length).toBe(3);
  });

  it('skips informational responses before the answer', async () => {
    await using my = await setUp();
    my.server.usual = (response) => {
      response.writeContinue();
      response.writeProcessing();
      response.writeEarlyHints({ link: '</style.css>; rel=preload' });
      return json({ n: 7 })(response);
    };
    expect(await my.ask()).toEqual(found(7));
    expect(my.server.calls.length).toBe(1);
  });

  const failing = { 'a 503': status(503), 'a 502': status(502), 'a reset connection': reset };
  it.each(Object.entries(failing))('is made again within the look-up after %s', async (_, fault) => {
    await using my = await setUp();
    my.server.faults.push(fault, fault, json({ n: 3 }));
    expect(await my.ask()).toEqual(found(3));
    const keys = my.server.calls.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual(Array(3).fill(`${requestId}:2`));
    expect(await my.metric('rubrica_outside_retries_total')).toEqual([expect.stringMatching(/ 2$/)]);
  });

  it('is made three times and not once more', async () => {
    await using my = await setUp();
    my.server.usual = status(503);
    expect(await my.ask()).toEqual(unavailable);
    expect(my.server.calls.length).toBe(3);
    expect(await outcomes(my)).toEqual([['failed', '1']]);
  });

  it('is made again when the system, with nobody listening, is there a moment later', async () => {
    const probe = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => probe.once('listening', resolve));
    const { port } = probe.address() as { port: number };
    await new Promise((resolve) => probe.close(resolve));
    await using my = await setUp({ baseUrl: `http://127.0.0.1:${port}` });
    expect(await my.ask()).toEqual(unavailable);
    expect(await my.metric('rubrica_outside_retries_total')).toEqual([expect.stringMatching(/ 2$/)]);
    expect(my.log()).toContain('ECONNREFUSED');
  });

  it('waits as long as it is asked to, where that is short', async () => {
    await using my = await setUp({ random: () => 0 });
    my.server.faults.push(status(429, { 'retry-after': '1' }));
    expect(await my.ask()).toEqual(found());
    const [first, second] = my.server.calls;
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(990);
  });

  it.each<[string, CallEnd, Fault]>([
    ['a longer wait is asked for', 'throttled', status(429, { 'retry-after': '3' })],
    ['a wait is asked for that is longer than the budget', 'failed', status(503, { 'retry-after': '2' })],
    [
      'a wait until some date is asked for',
      'failed',
      status(503, { 'retry-after': 'Sat, 21 Nov 2026 12:00:00 GMT' }),
    ],
    ['429 names no wait', 'throttled', status(429)],
    ['the system failed by itself', 'failed', status(500)],
    ['the system refuses', 'refused', status(401)],
    ['it never answers', 'timeout', hang],
    ['its answer drips', 'timeout', drip],
    [
      'its answer breaks off',
      'unreachable',
      (response) => response.writeHead(200, { 'content-length': '99' }).write('{', () => response.destroy()),
    ],
    ['it answers without end', 'invalid', (response) => response.writeHead(200).end('x'.repeat(1_000_000))],
    [
      'it answers one byte too many',
      'invalid',
      (response) => response.writeHead(200).end(JSON.stringify({ n: 1 }).padEnd(65_537)),
    ],
    ['it answers no JSON', 'invalid', (response) => response.writeHead(200).end('<html>1710034065</html>')],
    ['it answers nothing', 'invalid', (response) => response.writeHead(200).end()],
    ['its answer is not what was agreed', 'invalid', json({ n: '1710034065' })],
    [
      'its headers are without end',
      'unreachable',
      (response) => response.writeHead(200, { x: 'x'.repeat(64 * 1024) }).end(),
    ],
    ['it is no HTTP', 'unreachable', (response) => response.socket?.end('1710034065 Ñúñez\r\n\r\n')],
  ])('is over at once, and says nothing of the applicant in the log, when %s (%s)', async (_, end, fault) => {
    await using my = await setUp();
    my.server.faults.push(fault);
    expect(await my.ask()).toEqual(unavailable);
    expect(my.server.calls.length).toBe(1);
    expect(await outcomes(my)).toEqual([[end, '1']]);
    expect(my.log()).toContain(requestId);
    expect(my.log()).not.toMatch(/1710034065|Ñúñez|registry-token|127\.0\.0\.1/);
    expect(await my.ask()).toEqual(found());
  });

  it('takes an answer of exactly 64 KiB', async () => {
    await using my = await setUp();
    my.server.faults.push((response) => response.writeHead(200).end(JSON.stringify({ n: 7 }).padEnd(65_536)));
    expect(await my.ask()).toEqual(found(7));
  });

  it('follows no redirect', async () => {
    await using other = await startOutsideServer({ usual: json({ n: 666 }) });
    await using my = await setUp();
    my.server.faults.push(status(307, { location: `${other.url}/v1/lookup` }));
    expect(await my.ask()).toEqual(unavailable);
    expect(other.calls).toEqual([]);
    expect(await outcomes(my)).toEqual([['refused', '1']]);
  });

  it('has one budget for all its tries', async () => {
    await using my = await setUp({ timeoutMs: 600_000, budgetMs: 700 });
    my.server.faults.push(status(503), hang);
    expect(await my.ask()).toEqual(unavailable);
    expect(await outcomes(my)).toEqual([['timeout', '1']]);
  });

  it('ends when its caller leaves, before it, within an answer and within a wait', async () => {
    await using my = await setUp({ timeoutMs: 60_000, budgetMs: 60_000 });
    expect(await my.ask({ signal: AbortSignal.abort() })).toEqual(unavailable);
    expect(my.server.calls.length).toBe(0);
    for (const fault of [hang, drip, status(503, { 'retry-after': '2' })]) {
      my.server.faults.push(fault);
      expect(await my.ask({ signal: AbortSignal.timeout(200) })).toEqual(unavailable);
    }
    expect(await outcomes(my)).toEqual([['left', '4']]);
    expect(await my.ask()).toEqual(found());
  });

  it('goes to nobody whose certificate is not trusted', async () => {
    await using folder = await scratchDirectory('tls');
    const [key, cert] = [join(folder.path, 'tls.key'), join(folder.path, 'tls.crt')];
    await promisify(execFile)('openssl', [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert],
      ...['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'],
    ]);
    const tls = { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') };
    await using my = await setUp({ server: { tls } });
    expect(await my.ask()).toEqual(unavailable);
    expect(my.server.calls).toEqual([]);
    expect(my.log()).toContain('DEPTH_ZERO_SELF_SIGNED_CERT');
  });
});

describe('the breaker of an outside system', () => {
  const state = async ({ metric }: SetUp) => (await metric('rubrica_outside_breaker_state'))[0]?.at(-1);

  it('leaves it alone after failures in a row, sends one probe after the pause, and heals', async () => {
    await using my = await setUp();
    my.server.usual = status(500);
    for (let i = 0; i < 3; i++) expect(await my.ask()).toEqual(unavailable);
    expect(await state(my)).toBe('2');
    for (let i = 0; i < 10; i++) expect(await my.ask()).toEqual(unavailable);
    expect(my.server.calls.length).toBe(3);

    my.clock.nowMs = 1_000;
    my.server.usual = status(503);
    expect(await my.ask()).toEqual(unavailable);
    expect(my.server.calls.length, 'the probe is not repeated').toBe(4);

    my.clock.nowMs = 2_000;
    my.server.usual = json({ n: 1 });
    expect(await Promise.all([my.ask(), my.ask()])).toEqual([found(), unavailable]);
    expect(my.server.calls.length).toBe(5);
    expect(await state(my)).toBe('0');
    expect(await my.ask()).toEqual(found());
    expect(my.log()).toContain('outside system recovered');
    expect(Object.fromEntries((await outcomes(my)) as [string, string][])).toEqual({
      failed: '4',
      resting: '11',
      found: '2',
    });
  });

  it('stays closed whatever is refused or not understood: that comes at once and may be one applicant', async () => {
    await using my = await setUp();
    for (const fault of [status(422), status(302), json({}), json({ code: 'NOT_FOUND' }, 404)]) {
      my.server.usual = fault;
      for (let i = 0; i < 4; i++) await my.ask();
    }
    expect(await state(my)).toBe('0');
    expect(my.server.calls.length).toBe(16);
  });

  it('stays closed when callers leave early', async () => {
    await using my = await setUp({ timeoutMs: 60_000, budgetMs: 60_000 });
    my.server.usual = hang;
    await Promise.all(Array.from({ length: 4 }, () => my.ask({ signal: AbortSignal.timeout(100) })));
    expect(await state(my)).toBe('0');
  });
});
