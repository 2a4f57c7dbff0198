import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { createLogger } from '@rubrica/process/log';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createCallers } from '../src/server/callers.ts';
import { createServer } from '../src/server/create-server.ts';
import { createGateway, type Gateway } from '../src/server/gateway/gateway.ts';
import { serveSession } from '../src/server/serve-session.ts';
import { createRenewSession } from '../src/server/session/renew.ts';
import { createRenewIfDue } from '../src/server/session/renew-if-due.ts';
import { createSessionSeal } from '../src/server/session/sealed-session.ts';
import { formatSessionCookie } from '../src/server/session/session-cookie.ts';

/**
 * One session by intake's rules: a refresh token is used up by its use, the one before is answered for 10 s with the
 * present one, and any older one ends the session.
 */
const played = { present: 0, usedAtMs: 0, isEnded: false, renewals: 0, expiresIn: 600 };
let now = Date.now();
const nowMs = () => now;
const intake = createHttpServer(async (request, response) => {
  const { refreshToken } = (await json(request)) as { refreshToken: string };
  const shown = Number(refreshToken);
  const isJustUsed = shown === played.present - 1 && nowMs() - played.usedAtMs <= 10_000;
  if (shown === played.present) Object.assign(played, { present: shown + 1, usedAtMs: nowMs() });
  else if (!isJustUsed) played.isEnded = true;
  played.renewals += 1;
  response.setHeader('content-type', 'application/json').statusCode = played.isEnded ? 401 : 200;
  const tokens = { accessToken: `a${played.renewals}`, refreshToken: String(played.present) };
  const data = { ...tokens, expiresIn: played.expiresIn, role: 'viewer' };
  response.end(JSON.stringify(played.isEnded ? { error: { message: 'ended' } } : { result: { data } }));
});
const key = Buffer.alloc(32, 1);
let gateway: Gateway;

beforeAll(async () => {
  await new Promise<void>((resolve) => intake.listen(0, '127.0.0.1', resolve));
  const { port } = intake.address() as AddressInfo;
  gateway = createGateway({ url: `http://127.0.0.1:${port}`, timeoutMs: 60_000 });
});
afterAll(() => {
  gateway.close();
  intake.closeAllConnections();
  intake.close();
});
beforeEach(() => Object.assign(played, { present: 0, usedAtMs: 0, isEnded: false, renewals: 0 }));

/** A server of its own, with what it remembers, on the key that all copies share. */
function copy() {
  const logger = createLogger({ service: 'console', level: 'silent', format: 'json' });
  const app = createServer({ trustProxy: ['127.0.0.1'], isHttps: false, logger });
  const seal = createSessionSeal([key]);
  const keepFresh = createRenewIfDue({ renew: createRenewSession({ gateway, nowMs }), nowMs });
  serveSession(app, {
    callers: createCallers({ seal, keepFresh }),
    timeZone: 'America/Guayaquil',
    isOpenIdOffered: false,
  });
  return {
    close: () => app.close(),
    async ask(cookie: string) {
      const answer = await app.inject({ url: '/session', headers: { cookie } });
      const given = answer.headers['set-cookie'];
      const next = typeof given === 'string' ? given.split(';', 1)[0] : undefined;
      return { isSignedIn: answer.json().signedIn as boolean, cookie: next ?? cookie };
    },
  };
}

function dueCookie(): string {
  const session = { accessToken: 'a0', refreshToken: '0', accessEndsAtMs: nowMs() + 1_000 } as const;
  const person = { role: 'viewer', scope: 'full', email: 'ana@example.com' } as const;
  return formatSessionCookie({ ...session, ...person }, createSessionSeal([key])).split(';', 1)[0] ?? '';
}

it.each([
  ['ten minutes', 600],
  ['the shortest that the settings allow', 60],
])(
  'two copies renew one session under many calls and lose it in none, with a life of %s',
  async (_what, expiresIn) => {
    played.expiresIn = expiresIn;
    const copies = [copy(), copy()] as const;
    const [one, other] = copies;
    let cookie = dueCookie();
    for (let round = 0; round < 3; round += 1) {
      const calls = Array.from({ length: 20 }, (_, n) => copies[n % 2 === 0 ? 0 : 1].ask(cookie));
      const answers = await Promise.all(calls);
      expect(new Set(answers.map(({ isSignedIn }) => isSignedIn))).toEqual(new Set([true]));
      // A call with the new cookie is through before one that the browser had sent with the old one.
      const renewed = answers.at(-1)?.cookie ?? '';
      for (let n = 0; n < 3; n += 1) expect((await one.ask(renewed)).cookie).toBe(renewed);
      const third = copy();
      for (const late of [other, third]) expect(await late.ask(cookie)).toMatchObject({ isSignedIn: true });
      await third.close();
      cookie = renewed;
      now += expiresIn * 1_000 - 1_000;
    }
    // Of each round one for every copy that was shown the old cookie.
    expect([played.isEnded, played.present, played.renewals]).toEqual([false, 3, 9]);
    for (const each of copies) await each.close();
  },
);
