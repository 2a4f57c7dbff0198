import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface TakenCall {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
  /** Which connection brought it, counted from 1. */
  readonly connection: number;
  readonly atMs: number;
}

export type Behaviour = (response: ServerResponse) => unknown;

export interface OutsideServer extends AsyncDisposable {
  readonly url: string;
  readonly calls: TakenCall[];
  /** For the coming calls, one each; afterwards `usual` answers. */
  readonly faults: Behaviour[];
  usual: Behaviour;
  connections(): number;
}

export const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Behaviour =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

export const status =
  (code: number, headers: Record<string, string> = {}): Behaviour =>
  (response) =>
    response.writeHead(code, headers).end('the applicant 1710034065 is Ñúñez');

/** Resets the connection instead of answering. */
export const reset: Behaviour = (response) => response.socket?.resetAndDestroy();

export const hang: Behaviour = () => undefined;

/** Headers at once, then a byte at a time. */
export const drip: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(timer));
};

/** A registry on a real port, which can be told to misbehave. */
export async function startOutsideServer(
  options: { usual?: Behaviour; tls?: { key: string; cert: string } } = {},
): Promise<OutsideServer> {
  const calls: TakenCall[] = [];
  const faults: Behaviour[] = [];
  const numbers = new WeakMap<object, number>();
  let connections = 0;
  const listener = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    calls.push({
      method: request.method,
      path: request.url,
      headers: request.headers,
      body: text === '' ? undefined : JSON.parse(text),
      connection: numbers.get(request.socket) ?? 0,
      atMs: performance.now(),
    });
    (faults.shift() ?? running.usual)(response);
  };
  const server = options.tls ? createTlsServer(options.tls, listener) : createServer(listener);
  server.on(options.tls ? 'secureConnection' : 'connection', (socket) => numbers.set(socket, ++connections));
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const running: OutsideServer = {
    url: `${options.tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    calls,
    faults,
    usual: options.usual ?? json({}),
    connections: () => connections,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return running;
}
