import { once } from 'node:events';
import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLogger } from '@rubrica/process/log';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createCallers } from '../src/server/callers.ts';
import { createServer } from '../src/server/create-server.ts';
import { createGateway, type Gateway } from '../src/server/gateway/gateway.ts';
import { serveLive } from '../src/server/serve-live.ts';
import { createSessionSeal } from '../src/server/session/sealed-session.ts';
import { formatSessionCookie } from '../src/server/session/session-cookie.ts';

const inBody = { 'x-errors': 'in-body' };
const seal = createSessionSeal([Buffer.alloc(32, 1)]);
const session = {
  accessToken: 'good',
  accessEndsAtMs: Date.now() + 600_000,
  role: 'viewer',
  scope: 'full',
  email: 'ana@example.com',
} as const;

/** Streams of a server that answers as the gateway does. */
let streams: ServerResponse[];
let refusal: number | undefined;
let played: ReturnType<typeof createHttpServer>;
let gateway: Gateway;
let app: ReturnType<typeof createServer>;
let url: string;

beforeEach(async () => {
  streams = [];
  refusal = undefined;
  played = createHttpServer((_request, response) => {
    if (refusal !== undefined) return response.writeHead(refusal).end('{}');
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('retry: 3000\n\n');
    streams.push(response);
  });
  played.listen(0, '127.0.0.1');
  await once(played, 'listening');
  const { port } = played.address() as AddressInfo;
  gateway = createGateway({ url: `http://127.0.0.1:${port}`, timeoutMs: 60_000 });
  const logger = createLogger({ service: 'console', level: 'silent', format: 'json' });
  app = createServer({ trustProxy: undefined, isHttps: false, logger });
  serveLive(app, { gateway, callers: createCallers({ seal, keepFresh: async (same) => same }) });
  url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/live`;
});
afterEach(async () => {
  await app.close();
  gateway.close();
  played.closeAllConnections();
  played.close();
});

function open(headers: Record<string, string> = {}, signal?: AbortSignal) {
  const cookie = formatSessionCookie(session, seal).split(';', 1)[0] ?? '';
  return fetch(url, { headers: { ...headers, cookie }, signal: signal ?? null });
}

it('a stream that breaks off at the gateway ends for the browser, which takes it for no fault', async () => {
  const answer = await open();
  streams[0]?.write('event: review.changed\ndata: {"requestId":"a"}\n\n');
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done) break;
    text += value;
    if (text.includes('"a"')) streams[0]?.destroy();
  }
  expect(text).toBe('retry: 3000\n\nevent: review.changed\ndata: {"requestId":"a"}\n\n');
});

it('a stop of the server ends open streams, and waits for none', async () => {
  const answer = await open();
  await app.close();
  expect(await answer.text()).toBe('retry: 3000\n\n');
});

it('who leaves is not followed any more', async () => {
  const leaving = new AbortController();
  await open({}, leaving.signal);
  const [stream] = streams;
  if (stream === undefined) throw new Error('no stream was opened');
  leaving.abort();
  await once(stream, 'close');
  expect(stream.writableFinished).toBe(false);
});

it.each([
  ['a session that has ended', 401, 'UNAUTHENTICATED'],
  ['a fifth stream', 429, undefined],
])(
  '%s is refused in the body: a browser would write the status into its console',
  async (_what, status, code) => {
    refusal = status;
    const answer = await open(inBody);
    const body = (await answer.json()) as { error?: { data: { appCode: string } } };
    expect([answer.status, body.error?.data.appCode]).toEqual([200, code]);
    expect((await open()).status).toBe(status);
  },
);

it('a gateway that is away is told of in the body too', async () => {
  played.close();
  const answer = await open(inBody);
  expect([answer.status, await answer.json()]).toMatchObject([
    200,
    { error: { data: { appCode: 'SERVICE_UNAVAILABLE' } } },
  ]);
});

it('who is not signed in is told nothing', async () => {
  const answer = await fetch(url, { headers: inBody });
  expect(await answer.json()).toMatchObject({ error: { data: { appCode: 'UNAUTHENTICATED' } } });
  expect(streams).toEqual([]);
});
