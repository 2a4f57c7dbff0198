import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { builtServices } from '@rubrica/build';
import { createLogger } from '@rubrica/process/log';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createBodyReader } from '../src/server/body-reader.ts';
import { createCallers } from '../src/server/callers.ts';
import { createServer as createConsole } from '../src/server/create-server.ts';
import { createGateway } from '../src/server/gateway/gateway.ts';
import { readPages } from '../src/server/pages/read-pages.ts';
import { servePages } from '../src/server/pages/serve-pages.ts';
import { serveGateway } from '../src/server/serve-gateway.ts';
import { serveSession } from '../src/server/serve-session.ts';
import { createRenewSession } from '../src/server/session/renew.ts';
import { createRenewIfDue } from '../src/server/session/renew-if-due.ts';
import { createSessionSeal } from '../src/server/session/sealed-session.ts';

const origin = 'https://consola.test';
const ownPages = { origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
const firstLoadBytes = 200_000;

interface Seen {
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
}

/** Answers as the gateway does, and tells what came. Access tokens are good for as long as a test says. */
async function startGateway() {
  const seen: Seen[] = [];
  const state = { expiresIn: 600, refreshes: 0 };
  const server = createServer((request, response) => {
    const { url = '', headers } = request;
    seen.push({ url, headers });
    request.resume();
    const say = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json', 'set-cookie': 'gateway=1' });
      response.end(JSON.stringify(body));
    };
    const tokens = (name: string, expiresIn: number) =>
      say(200, {
        result: {
          data: { accessToken: name, refreshToken: `r-${name}`, expiresIn, role: 'admin', scope: 'full' },
        },
      });
    if (url.startsWith('/trpc/auth.signIn')) return tokens('first', state.expiresIn);
    if (url.startsWith('/trpc/auth.refresh')) {
      state.refreshes += 1;
      return tokens(`renewed-${state.refreshes}`, 600);
    }
    if (url.startsWith('/trpc/partners.get')) return say(404, { error: { message: 'none', code: -32_004 } });
    return say(200, { result: { data: 'passed' } });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { seen, state, url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

let gateway: Awaited<ReturnType<typeof startGateway>>;
let app: ReturnType<typeof createConsole>;
let pagesFolder: string;

beforeAll(async () => {
  gateway = await startGateway();
  pagesFolder = join((await builtServices()).console, 'pages');
  const nowMs = () => Date.now();
  const way = createGateway({ url: gateway.url, timeoutMs: 30_000 });
  const callers = createCallers({
    seal: createSessionSeal([randomBytes(32)]),
    keepFresh: createRenewIfDue({ renew: createRenewSession({ gateway: way, nowMs }), nowMs }),
  });
  const logger = createLogger({ service: 'console', level: 'silent', format: 'json' });
  app = createConsole({ trustProxy: undefined, isHttps: true, logger });
  serveSession(app, { callers, timeZone: 'America/Guayaquil', isOpenIdOffered: false });
  serveGateway(app, { gateway: way, callers, bodies: createBodyReader(), origin, nowMs });
  servePages(app, await readPages(pagesFolder));
});
afterAll(async () => {
  await app?.close();
  gateway?.close();
});
beforeEach(() => {
  gateway.seen.length = 0;
  gateway.state.expiresIn = 600;
});

const post = (path: string, headers: Record<string, string>, body: unknown = {}) =>
  app.inject({ method: 'POST', url: `/trpc/${path}`, headers, payload: JSON.stringify(body) });

async function signIn(): Promise<string> {
  const answer = await post('auth.signIn', ownPages, { email: 'Ana@firmas.test', password: 'x' });
  return String(answer.headers['set-cookie']).split(';')[0] ?? '';
}

describe('a sign-in', () => {
  it('leaves its tokens here, and the browser a cookie that says who it is', async () => {
    const answer = await post('auth.signIn', ownPages, { email: 'Ana@firmas.test', password: 'x' });
    expect(answer.json()).toEqual({ result: { data: { expiresIn: 600, role: 'admin', scope: 'full' } } });
    const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? '';
    const session = await app.inject({ url: '/session', headers: { cookie } });
    expect(session.json()).toMatchObject({ signedIn: true, email: 'ana@firmas.test', role: 'admin' });
  });

  it('in a batch is refused: its tokens would have to be looked for', async () => {
    expect((await post('auth.signIn,overview', ownPages)).statusCode).toBe(400);
    expect((await post('auth.signIn?batch=1', ownPages)).statusCode).toBe(400);
    expect(gateway.seen).toEqual([]);
  });

  it.each(['x%2f..%2fauth.signIn', 'auth..signIn', './auth.signIn%2f.'])(
    'under another spelling of its path (%s) is refused, and does not reach the gateway',
    async (path) => {
      expect((await post(path, ownPages, { email: 'Ana@firmas.test', password: 'x' })).statusCode).not.toBe(
        200,
      );
      expect((await app.inject({ url: `/trpc/${path}` })).statusCode).not.toBe(200);
      expect(gateway.seen).toEqual([]);
    },
  );

  it('that nobody has made is a 200 at /session', async () => {
    const answer = await app.inject('/session');
    expect([answer.statusCode, answer.json().signedIn]).toEqual([200, false]);
  });
});

describe('a call', () => {
  it.each([
    ['of another origin', { ...ownPages, origin: 'https://elsewhere.test' }, 403],
    ['without an origin', { 'content-type': 'application/json' }, 403],
    ['of a page beneath the same site', { ...ownPages, 'sec-fetch-site': 'same-site' }, 403],
    ['of a form', { ...ownPages, 'content-type': 'application/x-www-form-urlencoded' }, 415],
  ])('%s changes nothing', async (_what, headers, status) => {
    const cookie = await signIn();
    gateway.seen.length = 0;
    expect((await post('reviews.approve', { ...headers, cookie })).statusCode).toBe(status);
    expect(gateway.seen).toEqual([]);
  });

  it('goes on in the name of the operator, with the address that it came from and no cookie', async () => {
    const cookie = await signIn();
    const headers = { cookie, 'x-forwarded-for': '203.0.113.9', authorization: 'Bearer stolen' };
    const answer = await app.inject({ url: '/trpc/overview', headers });
    expect(answer.json()).toEqual({ result: { data: 'passed' } });
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(gateway.seen.at(-1)?.headers).toMatchObject({
      authorization: 'Bearer first',
      'x-forwarded-for': '127.0.0.1',
    });
    expect(gateway.seen.at(-1)?.headers.cookie).toBeUndefined();
  });

  it('of nobody does not reach the gateway', async () => {
    expect((await app.inject('/trpc/overview')).statusCode).toBe(401);
    expect((await app.inject('/reports/usage.csv')).statusCode).toBe(401);
    expect(
      (await app.inject({ url: '/trpc/overview', headers: { cookie: '__Host-rubrica=AAAA' } })).statusCode,
    ).toBe(401);
    expect(gateway.seen).toEqual([]);
  });

  it('that fails is a 200 for our pages, which read the failure from its body', async () => {
    const cookie = await signIn();
    const plain = await app.inject({ url: '/trpc/partners.get', headers: { cookie } });
    const ours = await app.inject({ url: '/trpc/partners.get', headers: { cookie, 'x-errors': 'in-body' } });
    expect([plain.statusCode, ours.statusCode]).toEqual([404, 200]);
    expect(ours.json().error.message).toBe('none');
  });

  it('of many at the end of an access token renews it once', async () => {
    gateway.state.expiresIn = 0;
    const cookie = await signIn();
    const before = gateway.state.refreshes;
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => app.inject({ url: '/trpc/overview', headers: { cookie } })),
    );
    expect(gateway.state.refreshes).toBe(before + 1);
    for (const { headers } of answers) expect(headers['set-cookie']).toMatch(/^__Host-rubrica=/);
  });
});

describe('the pages', () => {
  it('let nothing inline and nothing from elsewhere in, and stand in no frame', async () => {
    const { headers, body } = await app.inject('/requests');
    const policy = String(headers['content-security-policy']);
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ])
      expect(policy).toContain(part);
    expect(policy).not.toContain('unsafe');
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-cache',
    });
    expect(body).not.toMatch(/<style|<script(?![^>]*src=)| style=| on\w+=/);
  });

  it('are kept for good by the fingerprints in their names, and missing ones are no page', async () => {
    const [script = ''] = /\/assets\/[\w-]+\.js/.exec((await app.inject('/')).body) ?? [];
    const answer = await app.inject({ url: script, headers: { 'accept-encoding': 'gzip' } });
    expect(answer.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'content-encoding': 'gzip',
    });
    expect(answer.headers['cache-control']).toContain('immutable');
    expect((await app.inject('/assets/gone-1234.js')).statusCode).toBe(404);
  });

  it('are there after at most 200 kB', async () => {
    const pages = await readPages(pagesFolder);
    const start = String(pages.get('/index.html')?.bytes);
    const named = [...start.matchAll(/\/assets\/[\w.-]+/g)].map(([path]) => path);
    const bytes = named.map((path) => gzipSync(pages.get(path)?.bytes ?? '').length);
    expect(named.length).toBeGreaterThan(2);
    expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(firstLoadBytes);
  });
});
