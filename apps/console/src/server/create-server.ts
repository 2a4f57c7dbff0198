import { errorCatalogue } from '@rubrica/contracts/shared/errors';
import { AppError } from '@rubrica/process/errors';
import { boundPipelines, drainUnreadBodies } from '@rubrica/process/http';
import type { Logger } from '@rubrica/process/log';
import fastify, { type FastifyInstance } from 'fastify';
import { GatewayUnreachable } from './gateway/gateway.ts';
import { toBrowserStatus } from './gateway/send-to-gateway.ts';
import { securityHeaders } from './headers.ts';
import { sendRefusal } from './trpc-refusal.ts';

export interface ServerOptions {
  readonly trustProxy: readonly string[] | undefined;
  readonly isHttps: boolean;
  readonly logger: Logger;
  /** Fires some time before the server closes, so that callers move to another copy. */
  readonly draining?: AbortSignal;
}

/**
 * Creates the HTTP server with the rules of every route. Bodies are not read here: a route reads its own, once the call
 * is authorised.
 */
export function createServer({ trustProxy, isHttps, logger, draining }: ServerOptions): FastifyInstance {
  const headers = securityHeaders(isHttps);
  const app = fastify({
    logger: false,
    trustProxy: trustProxy === undefined ? false : [...trustProxy],
    requestTimeout: 30_000,
    return503OnClosing: false,
    routerOptions: { maxParamLength: 2_000 },
    http: { headersTimeout: 15_000, maxHeaderSize: 32 * 1024, connectionsCheckingInterval: 2_000 },
  });
  // About 50 kB each in a burst, below the memory of the deployment.
  app.server.maxConnections = 2_000;
  drainUnreadBodies(app.server);
  boundPipelines(app.server);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(headers);
    if (draining?.aborted) reply.header('connection', 'close');
  });
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof GatewayUnreachable)
      return sendRefusal(reply, { status: toBrowserStatus(request, 503), code: 'SERVICE_UNAVAILABLE' });
    if (error instanceof AppError) {
      const { code, retryAfterSeconds } = error;
      if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
      return sendRefusal(reply, { status: toBrowserStatus(request, errorCatalogue[code].http), code });
    }
    const status = (error as { statusCode?: number }).statusCode ?? 500;
    if (status < 500) return sendRefusal(reply, { status, code: 'BODY_MALFORMED' });
    logger.error({ err: error }, 'request failed');
    return sendRefusal(reply, { status: 500, code: 'INTERNAL_ERROR' });
  });
  app.setNotFoundHandler((_request, reply) => sendRefusal(reply, { status: 404, code: 'ROUTE_NOT_FOUND' }));
  return app;
}
