import type { AnyTRPCRouter } from '@trpc/server';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Limit } from '../http/rate-limits.ts';
import { setRetryAfter } from '../http/send-error.ts';
import { toFault } from '../http/to-app-error.ts';
import type { CreateOperatorContext } from './context.ts';
import type { IdentifyOperator } from './identify-operator.ts';
import { type OperatorBodyDeps, readOperatorBody } from './read-operator-body.ts';
import { formatTrpcFault } from './trpc-fault.ts';

const endpoint = '/trpc';
const maxBatchSize = 50;

export interface ServeTrpcDeps extends OperatorBodyDeps {
  readonly router: AnyTRPCRouter;
  readonly createContext: CreateOperatorContext;
  readonly identify: IdentifyOperator;
  /** Limit for unauthenticated callers. */
  readonly limit: Limit | undefined;
}

/** Serves the operators' procedures over HTTP, with batching (https://trpc.io/docs/rpc). */
export function serveTrpc(app: FastifyInstance, deps: ServeTrpcDeps): void {
  app.route({
    method: ['GET', 'POST'],
    url: `${endpoint}/*`,
    // tRPC clients expect tRPC errors, also for calls that reached no procedure.
    errorHandler: (error, request, reply) => {
      const fault = toFault(error);
      const { status, body } = formatTrpcFault(fault, request.call);
      setRetryAfter(reply, fault);
      return reply.code(status).header('content-type', 'application/json').send(body);
    },
    onRequest: async (request, reply) => {
      request.caller = await deps.identify(request.headers.authorization);
      if (request.caller.kind === 'public') await deps.limit?.(request, reply);
    },
    handler: (request, reply) => answer(request, reply, deps),
  });
}

/**
 * Headers that are dropped: the answer is sent whole with its length, and a conflicting transfer coding would let
 * readers of the connection disagree.
 */
const droppedHeaders = new Set(['vary', 'transfer-encoding', 'connection']);

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: ServeTrpcDeps,
): Promise<FastifyReply> {
  const response = await fetchRequestHandler({
    endpoint,
    req: await toFetchRequest(request, deps),
    router: deps.router,
    createContext: async () => deps.createContext(request, reply),
    allowMethodOverride: true,
    maxBatchSize,
    onError: ({ error }) => setRetryAfter(reply, toFault(error.cause)),
  });
  for (const [name, value] of response.headers) if (!droppedHeaders.has(name)) reply.header(name, value);
  return reply.code(response.status).send(await response.text());
}

async function toFetchRequest(request: FastifyRequest, deps: ServeTrpcDeps): Promise<Request> {
  const headers = new Headers();
  for (const name of ['content-type', 'accept', 'trpc-accept']) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  // Only path and query are used, not the host.
  const url = new URL(request.raw.url ?? endpoint, 'http://gateway.invalid');
  const { method } = request;
  if (method !== 'POST') return new Request(url, { headers, signal: request.signal });
  const body = await readOperatorBody(request, deps);
  // Created after the body was read: for an older signal, Fastify treats the end of the body as an abort.
  const { signal } = request;
  if (body !== undefined) return new Request(url, { method, headers, body, signal });
  // An unread body is reported before its media type.
  headers.set('content-type', 'application/json');
  return new Request(url, { method, headers, signal });
}
