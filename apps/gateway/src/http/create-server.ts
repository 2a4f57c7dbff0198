import type { Server } from 'node:http';
import { awaitsContinue, holdContinue, type Logger, type Pace, withContext } from '@rubrica/process';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { createContext } from '../context.ts';
import { createClientErrorHandler } from './client-error.ts';
import { limitConnections } from './connections.ts';
import { assertHost } from './host-header.ts';
import { limitOpenCalls } from './open-calls.ts';
import { toOriginForm } from './origin-form.ts';
import { boundPipelines } from './pipelines.ts';
import { createIsProxy } from './proxies.ts';
import { limitRequestTime } from './request-time.ts';
import { securityHeaders } from './security-headers.ts';
import type { SendError } from './send-error.ts';
import { shedIdle } from './shed-idle.ts';

export interface ServerOptions {
  readonly trustProxy: readonly string[] | undefined;
  readonly requestTimeoutMs: number;
  readonly perAddress: { readonly connections: number; readonly calls: number };
  readonly pace: Pace;
  readonly isHttps: boolean;
  readonly timeZone: string;
  readonly baseUrl: string;
  readonly sendError: SendError;
  readonly logger: Logger;
  /** Fires when callers should go elsewhere, some time before the server closes. */
  readonly draining: AbortSignal;
}

const headersTimeoutMs = 15_000;
const keepAliveMs = 72_000;
const maxHeaderBytes = 16 * 1024;

/**
 * The HTTP server with what holds for every route: limits, request id and trace, headers, and the error object.
 * Bodies are not read here: each use case reads its own, once it knows that the call is allowed.
 */
export function createServer(options: ServerOptions): FastifyInstance {
  const headers = securityHeaders(options.isHttps);
  const begin = (request: FastifyRequest, reply: FastifyReply) => {
    request.call = createContext(request.raw.headers);
    reply.headers(headers).header('x-request-id', request.call.requestId);
  };
  const app = fastify({
    logger: false,
    trustProxy: options.trustProxy === undefined ? false : [...options.trustProxy],
    // Kept by `limitRequestTime`.
    requestTimeout: 0,
    keepAliveTimeout: keepAliveMs,
    // While stopping, calls on open connections are served to their end instead of being cut off.
    return503OnClosing: false,
    rewriteUrl: ({ url = '/' }) => toOriginForm(url),
    routerOptions: { maxParamLength: 100 },
    http: {
      headersTimeout: headersTimeoutMs,
      maxHeaderSize: maxHeaderBytes,
      connectionsCheckingInterval: 2_000,
      // Node's own answer would not carry the error object: `assertHost`.
      requireHostHeader: false,
    },
    clientErrorHandler: createClientErrorHandler(options),
    frameworkErrors: (error, request, reply) => {
      begin(request as FastifyRequest, reply as FastifyReply);
      return options.sendError(error, request as FastifyRequest, reply as FastifyReply);
    },
  });
  // An unknown `Expect` is ignored; Node's own answer would be a 417 without the error object.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  holdContinue(app.server);
  boundPipelines(app.server);
  const isCrowded = limitServer(app.server);

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.decorateRequest('call');
  app.decorateRequest('caller');
  app.addHook('onRequest', (request, reply, done) => {
    begin(request, reply);
    request.caller = { kind: 'public' };
    withContext(request.call, () => {
      try {
        assertHost(request.raw);
        done();
      } catch (error) {
        done(error as Error);
      }
    });
  });
  limitRequestTime(app, options.requestTimeoutMs);
  limitAddresses(app, options);
  endConnections(app, { draining: options.draining, isCrowded });
  app.setErrorHandler((error, request, reply) => options.sendError(error, request, reply));
  return app;
}

/** What one address may have at once. */
function limitAddresses(app: FastifyInstance, { perAddress, trustProxy, pace, logger }: ServerOptions): void {
  const isProxy = createIsProxy(trustProxy);
  const isSurplus = limitConnections(app.server, { maxPerAddress: perAddress.connections, isProxy });
  limitOpenCalls(app, { maxPerAddress: perAddress.calls, isSurplus, pace, logger });
}

/** Connections beyond the limit are refused by the system, so that they do not slow down the others. */
function limitServer(server: Server): () => boolean {
  server.maxConnections = 10_000;
  server.maxRequestsPerSocket = 0;
  return shedIdle(server, server.maxConnections);
}

/** A connection that stays open after its call brings the next one here, and would delay the close until its idle time-out. */
function endConnections(
  app: FastifyInstance,
  { draining, isCrowded }: { readonly draining: AbortSignal; readonly isCrowded: () => boolean },
): void {
  let closing = false;
  app.addHook('preClose', (done) => {
    closing = true;
    done();
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    // Whether the body of a call that was refused before it was asked for still comes, nobody knows.
    if (closing || draining.aborted || isCrowded() || awaitsContinue(request.raw))
      reply.header('connection', 'close');
    done(null, payload);
  });
}

/** Takes no new connection and resolves when the running calls are answered; on `signal` cuts those that are left. */
export async function closeServer(app: FastifyInstance, signal: AbortSignal): Promise<void> {
  const cut = () => app.server.closeAllConnections();
  signal.addEventListener('abort', cut, { once: true });
  await app.close();
  signal.removeEventListener('abort', cut);
}
