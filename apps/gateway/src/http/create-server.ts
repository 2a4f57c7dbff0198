import type { Server } from 'node:http';
import { awaitsContinue, holdContinue, type Pace } from '@rubrica/process/bodies';
import { withContext } from '@rubrica/process/context';
import { boundPipelines, drainUnreadBodies } from '@rubrica/process/http';
import type { Logger } from '@rubrica/process/log';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { createContext } from '../context.ts';
import { createClientErrorHandler } from './client-error.ts';
import { limitConnections } from './connections.ts';
import { assertHost } from './host-header.ts';
import { limitOpenCalls } from './open-calls.ts';
import { toOriginForm } from './origin-form.ts';
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
  /** Fires some time before the server closes, so that callers move to another copy. */
  readonly draining: AbortSignal;
}

const headersTimeoutMs = 15_000;
const keepAliveMs = 72_000;
const maxHeaderBytes = 16 * 1024;

/**
 * Creates the HTTP server with the rules of every route: limits, request id and trace, headers, and the error object.
 * Bodies are not read here: each use case reads its own, once the call is authorised.
 */
export function createServer(options: ServerOptions): FastifyInstance {
  const headers = securityHeaders(options.isHttps);
  const initializeCall = (request: FastifyRequest, reply: FastifyReply) => {
    request.call = createContext(request.raw.headers);
    reply.headers(headers).header('x-request-id', request.call.requestId);
  };
  const app = fastify({
    logger: false,
    trustProxy: options.trustProxy === undefined ? false : [...options.trustProxy],
    // Enforced by `limitRequestTime`.
    requestTimeout: 0,
    keepAliveTimeout: keepAliveMs,
    // While stopping, calls on open connections are completed instead of aborted.
    return503OnClosing: false,
    rewriteUrl: ({ url = '/' }) => toOriginForm(url),
    routerOptions: { maxParamLength: 100 },
    http: {
      headersTimeout: headersTimeoutMs,
      maxHeaderSize: maxHeaderBytes,
      connectionsCheckingInterval: 2_000,
      // Node's own answer would lack the error object: `assertHost`.
      requireHostHeader: false,
    },
    clientErrorHandler: createClientErrorHandler(options),
    frameworkErrors: (error, request, reply) => {
      initializeCall(request as FastifyRequest, reply as FastifyReply);
      return options.sendError(error, request as FastifyRequest, reply as FastifyReply);
    },
  });
  // An unknown `Expect` is ignored; Node's own answer would be a 417 without the error object.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  holdContinue(app.server);
  drainUnreadBodies(app.server);
  boundPipelines(app.server);
  const isCrowded = limitServer(app.server);

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.decorateRequest('call');
  app.decorateRequest('caller');
  app.addHook('onRequest', (request, reply, done) => {
    initializeCall(request, reply);
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

/** Limits connections and calls per address. */
function limitAddresses(app: FastifyInstance, { perAddress, trustProxy, pace, logger }: ServerOptions): void {
  const isProxy = createIsProxy(trustProxy);
  const isSurplus = limitConnections(app.server, { maxPerAddress: perAddress.connections, isProxy });
  limitOpenCalls(app, { maxPerAddress: perAddress.calls, isSurplus, pace, logger });
}

/** Sets the limit of connections, beyond which the system refuses them, so that they do not slow down others. */
function limitServer(server: Server): () => boolean {
  server.maxConnections = 10_000;
  server.maxRequestsPerSocket = 0;
  return shedIdle(server, server.maxConnections);
}

/**
 * Closes connections with an answer where needed: a connection that stays open brings the next call here, and would
 * delay the close until its idle timeout.
 */
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
    // After refusing a call before its body was requested, it is unknown whether the body still arrives.
    if (closing || draining.aborted || isCrowded() || awaitsContinue(request.raw))
      reply.header('connection', 'close');
    done(null, payload);
  });
}

/** Stops accepting connections and resolves when the running calls are answered; on `signal` aborts the rest. */
export async function closeServer(app: FastifyInstance, signal: AbortSignal): Promise<void> {
  const abortConnections = () => app.server.closeAllConnections();
  signal.addEventListener('abort', abortConnections, { once: true });
  await app.close();
  signal.removeEventListener('abort', abortConnections);
}
