import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

export interface GatewayCall {
  readonly method: 'GET' | 'POST';
  /** Path with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | string | undefined;
  /** Fires when the reader has disconnected. */
  readonly signal?: AbortSignal | undefined;
}

export interface GatewayAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Readable;
}

export interface Gateway {
  /**
   * Sends a call.
   * @throws GatewayUnreachable
   */
  send(call: GatewayCall): Promise<GatewayAnswer>;
  /**
   * Calls a mutation outside a batch.
   * @throws GatewayUnreachable
   */
  mutate(path: string, input: unknown, headers: Readonly<Record<string, string>>): Promise<TrpcAnswer>;
  /**
   * Calls a query outside a batch.
   * @throws GatewayUnreachable
   */
  query(path: string, input: unknown, headers: Readonly<Record<string, string>>): Promise<TrpcAnswer>;
  close(): void;
}

/** Answer in tRPC's form over HTTP (https://trpc.io/docs/rpc). */
export interface TrpcAnswer {
  readonly status: number;
  readonly data: unknown;
}

export class GatewayUnreachable extends Error {
  constructor(cause: unknown) {
    super('the gateway does not answer', { cause });
    this.name = 'GatewayUnreachable';
  }
}

/** Creates the gateway client, the only outgoing connection of this process. */
export function createGateway(options: { readonly url: string; readonly timeoutMs: number }): Gateway {
  const isSecure = options.url.startsWith('https:');
  const agent = isSecure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  const open = isSecure ? requestHttps : requestHttp;
  const send: Gateway['send'] = ({ method, path, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const call = open(`${options.url}${path}`, {
        method,
        agent,
        headers: { ...headers, ...length },
        timeout: options.timeoutMs,
        ...(signal === undefined ? {} : { signal }),
      });
      call.once('response', (answer) => {
        resolve({ status: answer.statusCode ?? 502, headers: answer.headers, body: answer });
      });
      call.once('timeout', () => call.destroy(new Error('no answer in time')));
      call.on('error', (error) => reject(new GatewayUnreachable(error)));
      call.end(body);
    });
  return {
    send,
    async mutate(path, input, headers) {
      const answer = await send({
        method: 'POST',
        path: `/trpc/${path}`,
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(input ?? {}),
      });
      return { status: answer.status, data: parseData(await text(answer.body)) };
    },
    async query(path, input, headers) {
      const search = new URLSearchParams({ input: JSON.stringify(input) });
      const answer = await send({ method: 'GET', path: `/trpc/${path}?${search}`, headers });
      return { status: answer.status, data: parseData(await text(answer.body)) };
    },
    close: () => agent.destroy(),
  };
}

function parseData(body: string): unknown {
  try {
    return (JSON.parse(body) as { result?: { data?: unknown } }).result?.data;
  } catch {
    return undefined;
  }
}
