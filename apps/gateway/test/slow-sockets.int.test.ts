import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { linkedPartnerBody } from './support/bodies.ts';
import { operator, partner } from './support/fake-state.ts';
import { type TestGateway, testGateway } from './support/gateway.ts';
import { call } from './support/http.ts';
import { answersOf, type SlowCall, type SlowSocket, slowSocket } from './support/slow-socket.ts';

const count = 300;
const form = 'application/x-www-form-urlencoded';
const link = 'A'.repeat(43);

/** Each door that takes a body of whoever comes. */
const publicDoors: readonly SlowCall[] = [
  { path: '/oauth/token', type: form },
  { path: '/trpc/auth.signIn' },
  { path: `/claim/${link}`, type: form },
  { path: `/claim/${link}/code`, type: form },
  { path: `/claim/${link}/download`, type: form },
  { path: '/pki/ocsp', type: 'application/ocsp-request' },
];

const open: SlowSocket[] = [];
afterEach(() => {
  for (const socket of open.splice(0)) socket.abort();
});

let attackers = 0;

/** Each attack from an address of its own, so that none meets what is left of the one before. */
function attack(port: number, slow: SlowCall, sockets = count) {
  attackers += 1;
  const attacker = `203.0.113.${attackers}`;
  const opened = Array.from({ length: sockets }, () => slowSocket(port, { from: attacker, ...slow }));
  open.push(...opened);
  return opened;
}

/** A call from another address. */
function other(gateway: TestGateway, path: string, options: Parameters<typeof call>[1] = {}) {
  const headers = { 'x-forwarded-for': '198.51.100.7', ...options.headers };
  return call(gateway.url + path, { ...options, headers });
}

function signIn(gateway: TestGateway) {
  const { email, password } = operator;
  return other(gateway, '/trpc/auth.signIn', { body: { email, password } });
}

/** Statuses of the others: a token, a sign-in, a registration, a status, a claim page and its code, an OCSP answer. */
async function answersOfOthers(gateway: TestGateway, token: string) {
  const credentials = { client_id: partner.clientId, client_secret: partner.clientSecret };
  const grant = new URLSearchParams({ grant_type: 'client_credentials', ...credentials });
  const answers = await Promise.all([
    other(gateway, '/oauth/token', { body: grant }),
    signIn(gateway),
    other(gateway, '/collector/linked-partner/request', { token, body: linkedPartnerBody() }),
    other(gateway, '/middleware/signature-request/status?referenceTransaction=TX-1', { token }),
    other(gateway, `/claim/${gateway.state.claim.token}`),
    other(gateway, `/claim/${gateway.state.claim.token}/code`, {
      body: new URLSearchParams({ any: 'field' }),
    }),
    other(gateway, '/pki/ocsp', { body: 'any' }),
  ]);
  return answers.map(({ status }) => status);
}
const allServed = [200, 200, 200, 200, 200, 200, 200];

describe('300 slow sockets of one address', () => {
  let gateway: TestGateway;
  let token: string;
  beforeAll(async () => {
    gateway = await testGateway({ TRUST_PROXY: '127.0.0.1', BUFFERED_LIMIT_BYTES: '4194304' });
    token = await gateway.token();
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  test.each(publicDoors)('at $path hold a sixteenth of its room, and nobody else notices', async (door) => {
    const sentBytes = 8_000;
    // 4 MiB, of which one address holds a sixteenth.
    const held = Math.floor((4 * 1024 * 1024) / 16 / sentBytes);
    const sockets = attack(gateway.port, { ...door, sent: 'x'.repeat(sentBytes) });
    const counts = await answersOf(sockets, (now) => now['429'] === count - held);
    expect(counts).toEqual({ none: held, 429: count - held });
    const refused = sockets.find((socket) => socket.status() === 429)?.received();
    expect(refused).toMatch(/\r\nretry-after: 5\r\n/);
    expect(await answersOfOthers(gateway, token)).toEqual(allServed);
    expect(await answersOfOthers(gateway, token)).toEqual(allServed);
  });

  test.each([
    ['/collector/linked-partner/request', 'POST'],
    ['/trpc/partners.update', 'POST'],
  ])('at %s are refused without a token before they hold anything', async (path) => {
    const sockets = attack(gateway.port, { path, announced: 1_000_000, sent: 'x'.repeat(8_000) });
    expect(await answersOf(sockets, (now) => now['401'] === count)).toEqual({ 401: count });
    expect(await answersOfOthers(gateway, token)).toEqual(allServed);
  });

  test("with an operator's token hold at most half of the room for bodies", async () => {
    const { result } = (await signIn(gateway)).json<{ result: { data: { accessToken: string } } }>();
    const own = { token: result.data.accessToken, announced: 100_000, sent: 'x'.repeat(20_000) };
    const held = Math.floor((2 * 1024 * 1024) / 20_000);
    const sockets = attack(gateway.port, { path: '/trpc/partners.update', ...own });
    const counts = await answersOf(sockets, (now) => now['429'] === count - held);
    expect(counts).toEqual({ none: held, 429: count - held });
    expect(await answersOfOthers(gateway, token)).toEqual(allServed);
  });

  test("with a partner's token hold at most half of the room for bodies", async () => {
    const own = { token, announced: 200_000, sent: `{"city":"${'x'.repeat(20_000)}` };
    const sockets = attack(gateway.port, { path: '/collector/linked-partner/request', ...own });
    const counts = await answersOf(sockets, (now) => (now['429'] ?? 0) >= count - 110);
    expect(Object.keys(counts).sort()).toEqual(['429', 'none']);
    const { result } = (await signIn(gateway)).json<{ result: { data: { accessToken: string } } }>();
    const large = JSON.stringify({ name: 'Acme', email: 'it@acme.example' }) + ' '.repeat(500_000);
    const headers = { 'content-type': 'application/json' };
    const byOperator = { token: result.data.accessToken, headers, body: large };
    expect((await other(gateway, '/trpc/partners.create', byOperator)).status).toBe(200);
  });
});

describe('slow bodies of many addresses', () => {
  let gateway: TestGateway;
  let token: string;
  beforeAll(async () => {
    gateway = await testGateway({ TRUST_PROXY: '127.0.0.1', PUBLIC_BUFFERED_LIMIT_BYTES: String(roomBytes) });
    token = await gateway.token();
  });
  afterAll(() => gateway[Symbol.asyncDispose]());
  const roomBytes = 256 * 1024;
  const sentBytes = 15_999;

  test.each(publicDoors)('at $path that fill its room keep out no body that comes at once', async (door) => {
    const begin = (bytes: number) => attack(gateway.port, { ...door, sent: 'x'.repeat(bytes) }, 1);
    const held = Math.floor(roomBytes / sentBytes);
    const sockets = Array.from({ length: held }, () => begin(sentBytes)).flat();
    const filling = begin(roomBytes - held * sentBytes);
    // One more body is taken once all of them hold their bytes: it ends the oldest.
    await expect
      .poll(() => {
        sockets.push(...begin(1_000));
        return sockets.filter((socket) => socket.status() === 503).length;
      })
      .toBeGreaterThan(0);
    for (let call = 0; call < 5; call += 1) expect(await answersOfOthers(gateway, token)).toEqual(allServed);
    expect(filling[0]?.isClosed()).toBe(false);
  });
});

describe('a body that arrives too slowly', () => {
  let gateway: TestGateway;
  let token: string;
  beforeAll(async () => {
    gateway = await testGateway({ PACE_SECONDS: '2', SLOWEST_BYTES_PER_SECOND: '1024' });
    token = await gateway.token();
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  test('is refused at every door, and its connection ends', async () => {
    const registration = { path: '/collector/linked-partner/request', token, sent: '{"city":"' };
    const attacks = [...publicDoors, registration].map((door) =>
      attack(gateway.port, { sent: 'a=', ...door }, 5),
    );
    for (const sockets of attacks) {
      expect(await answersOf(sockets, (now) => now['400'] === 5)).toEqual({ 400: 5 });
      expect(sockets[0]?.received()).toMatch(/arrived too slowly|No se pudo hacer/);
    }
    const areClosed = () => attacks.flat().every((one) => one.isClosed());
    await expect.poll(areClosed).toBe(true);
  });

  test('is taken while it keeps the pace', async () => {
    const body = JSON.stringify(linkedPartnerBody({ extra: 'x'.repeat(60_000) }));
    const sending = new ReadableStream({
      async start(controller) {
        for (let at = 0; at < body.length; at += 2000) {
          controller.enqueue(Buffer.from(body.slice(at, at + 2000)));
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
        controller.close();
      },
    });
    const answer = await fetch(`${gateway.url}/collector/linked-partner/request`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: sending,
      duplex: 'half',
    } as RequestInit);
    expect(answer.status).toBe(200);
  });
});
