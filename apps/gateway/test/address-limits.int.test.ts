import { afterEach, describe, expect, test } from 'vitest';
import { claimView } from './support/fake-claims.ts';
import { type TestGateway, testGateway } from './support/gateway.ts';
import { call } from './support/http.ts';
import { rawSocket, type SlowSocket, slowSocket } from './support/slow-socket.ts';

const statusPath = '/middleware/signature-request/status?referenceTransaction=TX-1';
const open: SlowSocket[] = [];
afterEach(abortAll);

/** A gateway that stops waits for connections that have not said anything yet. */
function abortAll() {
  for (const socket of open.splice(0)) socket.abort();
}

function idle({ port }: TestGateway, count: number) {
  const sockets = Array.from({ length: count }, () => rawSocket(port));
  open.push(...sockets);
  return sockets;
}

const getHealth = 'GET /health HTTP/1.1\r\nhost: gateway.test\r\n\r\n';

describe('connections of one address', () => {
  test('beyond the limit are told so and ended; those before it stay, and room that is made is given', async () => {
    await using gateway = await testGateway({ CONNECTIONS_PER_ADDRESS: '3' });
    idle(gateway, 2);
    const kept = rawSocket(gateway.port, getHealth);
    await expect.poll(() => kept.status()).toBe(200);
    const surplus = rawSocket(gateway.port, getHealth);
    open.push(kept, surplus);
    await expect.poll(() => surplus.status()).toBe(429);
    expect(surplus.received()).toMatch(/\r\nretry-after: 5\r\n/);
    expect(surplus.received()).toMatch(/\r\nconnection: close\r\n/);
    expect(surplus.received()).toContain('RATE_LIMITED');
    await expect.poll(() => surplus.isClosed()).toBe(true);
    expect(kept.isClosed()).toBe(false);
    kept.abort();
    const status = async () =>
      (await call(`${gateway.url}/health`, { headers: { connection: 'close' } })).status;
    await expect.poll(status).toBe(200);
    abortAll();
  });

  test('beyond the double of the limit are ended at once', async () => {
    await using gateway = await testGateway({ CONNECTIONS_PER_ADDRESS: '3' });
    const sockets = idle(gateway, 60);
    await expect.poll(() => sockets.filter((one) => one.isClosed()).length).toBeGreaterThanOrEqual(54);
    expect(sockets.slice(0, 3).map((one) => one.isClosed())).toEqual([false, false, false]);
    // Those in between say nothing, and have a few seconds to do so.
    await expect.poll(() => sockets.filter((one) => !one.isClosed()).length).toBe(3);
  });

  test('are not counted for a proxy, which brings the calls of many', async () => {
    await using gateway = await testGateway({ CONNECTIONS_PER_ADDRESS: '3', TRUST_PROXY: 'loopback' });
    idle(gateway, 30);
    expect((await call(`${gateway.url}/health`)).status).toBe(200);
    abortAll();
  });
});

describe('calls of one address that wait for their answer', () => {
  test('beyond the limit are 429, whichever connection brings them; others are served', async () => {
    await using gateway = await testGateway({ CALLS_PER_ADDRESS: '2', TRUST_PROXY: '127.0.0.1' });
    const token = await gateway.token();
    const statusFrom = async (address: string) =>
      (await call(gateway.url + statusPath, { token, headers: { 'x-forwarded-for': address } })).status;
    const slow = { path: '/collector/linked-partner/request', token, from: '2001:db8::1' };
    open.push(slowSocket(gateway.port, slow), slowSocket(gateway.port, slow));
    await expect.poll(() => statusFrom('2001:db8::1')).toBe(429);
    // The whole /64 is one address.
    expect(await statusFrom('2001:db8::ffff')).toBe(429);
    expect(await statusFrom('2001:db8:0:1::1')).toBe(200);
    expect(await statusFrom('198.51.100.7')).toBe(200);
    // Only a proxy is believed whom it speaks for: what a caller puts before it changes nothing.
    expect(await statusFrom('198.51.100.7, 2001:db8::1')).toBe(429);
    abortAll();
    await expect.poll(() => statusFrom('2001:db8::1')).toBe(200);
  });
});

describe('the /56 of IPv6 addresses, which one subscriber may have whole', () => {
  /** Of `site` 2001:db8:0:<site>00::/56, the network number `n`. */
  const addressIn = (site: number, n: number) => `2001:db8:0:${(site * 256 + n).toString(16)}::1`;

  test('has four times as many unanswered calls as one address, however many networks it spreads them over', async () => {
    await using gateway = await testGateway({ CALLS_PER_ADDRESS: '2', TRUST_PROXY: '127.0.0.1' });
    const token = await gateway.token();
    const statusFrom = async (address: string) =>
      (await call(gateway.url + statusPath, { token, headers: { 'x-forwarded-for': address } })).status;
    for (let n = 0; n < 8; n += 1) {
      const from = addressIn(1, n);
      open.push(slowSocket(gateway.port, { path: '/collector/linked-partner/request', token, from }));
    }
    await expect.poll(() => statusFrom(addressIn(1, 100))).toBe(429);
    expect(await statusFrom(addressIn(2, 0))).toBe(200);
    abortAll();
    await expect.poll(() => statusFrom(addressIn(1, 100))).toBe(200);
  });

  test('has four times as many calls a minute', async () => {
    await using gateway = await testGateway({ RATE_LIMIT_ADDRESS: '2', TRUST_PROXY: '127.0.0.1' });
    const callFrom = (address: string) =>
      call(`${gateway.url}/openapi.json`, { headers: { 'x-forwarded-for': address } });
    const statusFrom = async (address: string) => (await callFrom(address)).status;
    const shown = Object.fromEntries((await callFrom(addressIn(3, 0))).headers);
    expect(shown).toMatchObject({ 'ratelimit-limit': '2', 'ratelimit-remaining': '1' });
    const first = [];
    for (let n = 0; n < 8; n += 1) first.push(await statusFrom(addressIn(1, n)));
    expect(first).toEqual(Array(8).fill(200));
    expect(await statusFrom(addressIn(1, 8))).toBe(429);
    expect(await statusFrom(addressIn(2, 0))).toBe(200);
  });
});

test('calls that were pipelined on a connection that broke count no more', async () => {
  await using gateway = await testGateway({ CALLS_PER_ADDRESS: '3', PACE_SECONDS: '1' });
  gateway.state.claim.view = claimView({ state: 'IN_PROGRESS' });
  const neverEnding = getHealth.replace('/health', `/claim/${gateway.state.claim.token}/progress`);
  const pipelined = rawSocket(gateway.port, neverEnding + getHealth + getHealth);
  const status = async () => (await call(`${gateway.url}/health`)).status;
  await expect.poll(status).toBe(429);
  pipelined.abort();
  // Two streams and one call need all the room there is.
  const streams = () => [rawSocket(gateway.port, neverEnding), rawSocket(gateway.port, neverEnding)];
  const statusBesideStreams = async () => {
    abortAll();
    open.push(...streams());
    await expect.poll(() => open.every((one) => one.status() !== undefined)).toBe(true);
    return [...open.map((one) => one.status()), await status()];
  };
  await expect.poll(statusBesideStreams, { interval: 500 }).toEqual([200, 200, 200]);
  abortAll();
});

test('an answer that is not read ends its connection; one that is read comes whole', async () => {
  await using gateway = await testGateway({ PACE_SECONDS: '5', SLOWEST_BYTES_PER_SECOND: '1048576' });
  const asked = 100;
  const getDescription = 'GET /openapi.json HTTP/1.1\r\nhost: gateway.test\r\n\r\n';
  const [reader, sleeper] = [0, 1].map((paused) =>
    rawSocket(gateway.port, getDescription.repeat(asked), { paused: paused === 1 }),
  ) as [SlowSocket, SlowSocket];
  open.push(reader, sleeper);
  const answers = (socket: SlowSocket) => socket.received().split('HTTP/1.1 200 OK').length - 1;
  await expect.poll(() => answers(reader)).toBe(asked);
  expect(reader.isClosed()).toBe(false);
  const ended = () => gateway.lines.filter((line) => line.includes('answer not read')).length;
  await expect.poll(ended).toBe(1);
  // Only what the system keeps for both sides is left for the one who slept.
  sleeper.resume();
  await expect.poll(() => sleeper.isClosed()).toBe(true);
  expect(answers(sleeper)).toBeLessThan(asked);
});

describe('calls without a token, by the minute', () => {
  const publicPaths = [
    '/docs',
    '/openapi.json',
    '/.well-known/jwks.json',
    '/pki/root.cer',
    '/pki/ocsp/AAAA',
    '/health',
    '/no/such/address',
    '/trpc/overview',
    '/gateway/collector/terms-and-conditions/by-type?type=TRADITIONAL_SIGNATURE',
    '/gateway/reference/provinces',
    `/claim/${'A'.repeat(43)}`,
    '/liveness/any',
    `/review/evidence/${'A'.repeat(43)}`,
  ];

  test('are limited per address on every public route, and nowhere for others', async () => {
    await using gateway = await testGateway({ RATE_LIMIT_ADDRESS: '2', TRUST_PROXY: '127.0.0.1' });
    for (const [index, path] of publicPaths.entries()) {
      const from = async (address: string) => {
        const { status, headers } = await call(gateway.url + path, {
          headers: { 'x-forwarded-for': address },
        });
        return [status, headers.has('retry-after')];
      };
      const address = `203.0.113.${index + 1}`;
      const first = await from(address);
      expect(first[0], path).not.toBe(429);
      await from(address);
      expect(await from(address), path).toEqual([429, true]);
      expect(await from(`198.51.100.${index + 1}`), path).toEqual(first);
    }
  });
});
