import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loopback } from '@rubrica/testkit/processes';

export interface Call {
  readonly receivedAt: Date;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Exactly the signed bytes. */
  readonly body: Buffer;
}

export interface Receiver {
  /** Value for `callbackUrl`. */
  readonly url: string;
  /** Ends all open connections. */
  close(): Promise<void>;
}

export interface ReceiverOptions {
  /** Port; 0 selects a free one. Fails with EADDRINUSE if it is taken. */
  readonly port: number;
  /** Must answer, or leave the call open intentionally. */
  onCall(call: Call, response: ServerResponse): void;
  /** Reports all other requests: another method, a body too large, a call that was cut off. They have been answered. */
  onOther?(what: string): void;
}

/** The largest event is a certificate file of some kilobytes. */
const bodyLimitBytes = 16 * 1024 * 1024;

/** Starts the partner's end of the webhook: an HTTP server on loopback. */
export async function startReceiver({ port, onCall, onOther }: ReceiverOptions): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    const what = `${request.method} ${request.url}`;
    if (request.method !== 'POST') {
      response.writeHead(405, { allow: 'POST', 'content-type': 'text/plain' });
      response.end('Webhooks come here by POST.\n');
      return onOther?.(`${what} was answered 405: webhooks come by POST`);
    }
    const body = await readBody(request).catch(() => undefined);
    if (body === undefined) return onOther?.(`${what} broke off before its body was here`);
    if (body === 'too large') {
      response.writeHead(413, { connection: 'close' }).end();
      return onOther?.(`${what} was answered 413: more than ${bodyLimitBytes / 1024 / 1024} MiB`);
    }
    onCall({ receivedAt: new Date(), headers: readHeaders(request), body }, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host: loopback, exclusive: true }, resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  return { url: `http://${loopback}:${bound}/webhooks/rubrica`, close: () => close(server) };
}

async function readBody(request: IncomingMessage): Promise<Buffer | 'too large'> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > bodyLimitBytes) return 'too large';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function readHeaders(request: IncomingMessage): Record<string, string> {
  const pairs = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const);
  return Object.fromEntries(pairs);
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
