import { createServer as createHttpServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLogger } from '@rubrica/process/log';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCallers } from '../src/server/callers.ts';
import { createServer } from '../src/server/create-server.ts';
import { createGateway, type Gateway } from '../src/server/gateway/gateway.ts';
import { serveSession } from '../src/server/serve-session.ts';
import { createRenewSession } from '../src/server/session/renew.ts';
import { createRenewIfDue } from '../src/server/session/renew-if-due.ts';
import { createSessionSeal } from '../src/server/session/sealed-session.ts';
import { formatSessionCookie } from '../src/server/session/session-cookie.ts';

/** What the gateway was asked, by a server that answers a renewal as it does. */
const asked: IncomingHttpHeaders[] = [];
const played = createHttpServer((request, response) => {
  asked.push(request.headers);
  const data = { accessToken: 'b', refreshToken: 'next', expiresIn: 600, role: 'viewer' };
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ result: { data } }));
});
const nowMs = () => Date.now();
const seal = createSessionSeal([Buffer.alloc(32, 1)]);
let gateway: Gateway;

beforeAll(async () => {
  await new Promise<void>((resolve) => played.listen(0, '127.0.0.1', resolve));
  const { port } = played.address() as AddressInfo;
  gateway = createGateway({ url: `http://127.0.0.1:${port}`, timeoutMs: 60_000 });
});
afterAll(() => {
  gateway.close();
  played.closeAllConnections();
  played.close();
});

it('a session is renewed in the name of the browser that asks: its address, not ours, has the limit of renewals', async () => {
  const logger = createLogger({ service: 'console', level: 'silent', format: 'json' });
  const app = createServer({ trustProxy: ['127.0.0.1'], isHttps: false, logger });
  const callers = createCallers({
    seal,
    keepFresh: createRenewIfDue({ renew: createRenewSession({ gateway, nowMs }), nowMs }),
  });
  serveSession(app, { callers, timeZone: 'America/Guayaquil', isOpenIdOffered: false });
  const ending = { accessToken: 'a', refreshToken: 'r', accessEndsAtMs: nowMs() + 1_000 };
  const session = { ...ending, role: 'viewer', scope: 'full', email: 'ana@example.com' } as const;
  const cookie = formatSessionCookie(session, seal).split(';', 1)[0] ?? '';
  const answer = await app.inject({
    url: '/session',
    headers: { cookie, 'x-forwarded-for': '198.51.100.7', 'user-agent': 'Firefox' },
  });
  expect(answer.json()).toMatchObject({ signedIn: true, email: 'ana@example.com' });
  expect(answer.headers['set-cookie']).toMatch(/^__Host-rubrica=/);
  expect(asked).toMatchObject([{ 'x-forwarded-for': '198.51.100.7', 'user-agent': 'Firefox' }]);
  await app.close();
});
