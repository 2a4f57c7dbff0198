import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { renderPage, scriptHash } from './page.ts';
import type { MessageStore } from './store.ts';

const largestBodyBytes = 64 * 1024;

const contentSecurityPolicy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  `script-src 'sha256-${scriptHash}'`,
  "connect-src 'self'",
  "frame-src 'self'",
].join('; ');

/**
 * Serves `GET /messages?to=`, `POST /sms {id?, to, text}` like an SMS provider (README of the notifier), `GET /readyz`,
 * and `GET /` for a person.
 */
export function startHttp(options: {
  port: number;
  store: MessageStore;
}): Promise<{ stop(): Promise<void> }> {
  const server = createServer((request, response) => {
    answer(options.store, request, response).catch(() => sendJson(response, 400, { error: 'bad request' }));
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', () =>
      resolve({
        stop: () =>
          new Promise((closed) => {
            server.close(() => closed());
            server.closeAllConnections();
          }),
      }),
    );
  });
}

async function answer(
  store: MessageStore,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://catcher');
  const route = `${request.method} ${url.pathname}`;
  if (route === 'GET /messages') {
    return sendJson(response, 200, await store.list(url.searchParams.get('to') ?? undefined));
  }
  if (route === 'POST /sms') return acceptSms(store, request, response);
  if (route === 'GET /readyz') return sendJson(response, 200, { status: 'ok' });
  if (route === 'GET /') {
    const messages = await store.list();
    return sendPage(response, renderPage({ messages, selected: url.searchParams.get('id') }));
  }
  sendJson(response, 404, { error: 'not found' });
}

async function acceptSms(
  store: MessageStore,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body: unknown = JSON.parse(await readBody(request));
  const { id, to, text } = (body ?? {}) as { id?: unknown; to?: unknown; text?: unknown };
  if (typeof to !== 'string' || typeof text !== 'string' || !(id === undefined || isMessageId(id))) {
    return sendJson(response, 400, { error: 'give {"id": "…", "to": "+593…", "text": "…"}' });
  }
  // A repeat after a crash is stored once, as by a provider that honours idempotency keys.
  if (id !== undefined && store.has(id)) return sendJson(response, 202, { id });
  const stored = store.add({ ...(id && { id }), channel: 'sms', to, text });
  sendJson(response, 202, { id: stored.id });
}

function isMessageId(id: unknown): id is string {
  return typeof id === 'string' && /^[\w-]{1,64}$/.test(id);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > largestBodyBytes) throw new Error('body too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  });
  response.end(JSON.stringify(body));
}

/** Sends a page. Mail is untrusted: its own HTML is shown in a frame that cannot run scripts. */
function sendPage(response: ServerResponse, html: string): void {
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': contentSecurityPolicy,
    'referrer-policy': 'no-referrer',
  });
  response.end(html);
}
