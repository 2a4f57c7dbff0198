import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { boundPipelines } from '../http/pipelines.ts';
import { drainUnreadBodies } from '../http/unread-bodies.ts';
import { contentTypes, parseFormat } from '../metrics/format.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Health } from './health.ts';

export type ManagementServer = { port: number; stop(): Promise<void> };

type Answer = { status: number; type: string; body: string };

/**
 * Serves `/livez` (the event loop runs), `/readyz` (named checks; 503 while one fails) and `/metrics` (Prometheus text,
 * or OpenMetrics on request) on a separate port, which is never open to partners.
 */
export async function startManagementServer(options: {
  host: string;
  port: number;
  health: Pick<Health, 'readiness'>;
  metrics: Pick<Metrics, 'text'>;
}): Promise<ManagementServer> {
  const { host, port, health, metrics } = options;
  const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
    answer(request, health, metrics)
      .catch((): Answer => ({ status: 500, type: 'text/plain', body: 'unexpected error\n' }))
      .then((result) => send(response, result));
  });
  drainUnreadBodies(server);
  boundPipelines(server);
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  request: IncomingMessage,
  health: Pick<Health, 'readiness'>,
  metrics: Pick<Metrics, 'text'>,
): Promise<Answer> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return { status: 405, type: 'text/plain', body: 'only GET and HEAD\n' };
  }
  switch (request.url?.split('?')[0]) {
    case '/livez':
      return { status: 200, type: 'text/plain', body: 'alive\n' };
    case '/readyz': {
      const readiness = await health.readiness();
      return {
        status: readiness.ready ? 200 : 503,
        type: 'application/json',
        body: `${JSON.stringify(readiness)}\n`,
      };
    }
    case '/metrics': {
      const format = parseFormat(request.headers.accept);
      return { status: 200, type: contentTypes[format], body: await metrics.text(format) };
    }
    default:
      return { status: 404, type: 'text/plain', body: 'try /livez, /readyz or /metrics\n' };
  }
}

function send(response: ServerResponse, { status, type, body }: Answer): void {
  response.writeHead(status, {
    'content-type': type,
    'cache-control': 'no-store',
    ...(status === 405 ? { allow: 'GET, HEAD' } : {}),
  });
  response.end(body);
}
