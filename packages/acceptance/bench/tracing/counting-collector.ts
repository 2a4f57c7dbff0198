import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface CountingCollector extends AsyncDisposable {
  /** OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly endpoint: string;
  /** Of all who send here, since the start. */
  spans(): number;
}

/** An OpenTelemetry collector (OTLP over HTTP, JSON) that counts and keeps nothing. */
export async function startCountingCollector(): Promise<CountingCollector> {
  let count = 0;
  const server = createServer(async (request, response) => {
    const body = await text(request);
    count += body.split('"spanId"').length - 1;
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () => count,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
