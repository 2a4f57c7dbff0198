import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Delivery {
  readonly headers: Record<string, string>;
  /** Exactly the bytes that were signed. */
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  /** The first delivery; rejects when none comes in time. */
  next(deadlineMs: number): Promise<Delivery>;
  close(): void;
}

/** The partner's end of the webhook: an HTTP server on loopback that answers 204. */
export async function startReceiver(): Promise<Receiver> {
  const first = Promise.withResolvers<Delivery>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    response.writeHead(204).end();
    first.resolve({ headers: headersOf(request), body: Buffer.concat(chunks).toString('utf8') });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/webhooks/rubrica`,
    next: (deadlineMs) => withDeadline(first.promise, deadlineMs),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function headersOf(request: IncomingMessage): Record<string, string> {
  const pairs = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const);
  return Object.fromEntries(pairs);
}

async function withDeadline<T>(promise: Promise<T>, deadlineMs: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`No webhook came within ${deadlineMs / 1_000} seconds.`)),
    deadlineMs,
  );
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
