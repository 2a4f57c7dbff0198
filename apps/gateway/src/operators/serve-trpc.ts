import type { AnyTRPCRouter } from '@trpc/server';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { mediaTypeOf } from '../body/media-type.ts';
import { type ByteBudget, withBytes } from '../body/read-bytes.ts';
import { readOn } from '../http/read-on.ts';
import { toFault } from '../http/to-fault.ts';
import type { CreateOperatorContext } from './context.ts';
import { trpcFault } from './trpc-fault.ts';

const endpoint = '/trpc';
const maxBodyBytes = 1024 * 1024;
const maxBatchSize = 50;

export interface ServeTrpcDeps {
  readonly router: AnyTRPCRouter;
  readonly createContext: CreateOperatorContext;
  readonly budget: ByteBudget;
  readonly readOnMs: number;
}

/** The operators' procedures over HTTP, with batching (https://trpc.io/docs/rpc). */
export function serveTrpc(app: FastifyInstance, deps: ServeTrpcDeps): void {
  app.route({
    method: ['GET', 'POST'],
    url: `${endpoint}/*`,
    // Clients of tRPC read tRPC's errors, also of calls that reached no procedure.
    errorHandler: (error, request, reply) => {
      const fault = toFault(error);
      const { status, body } = trpcFault(fault, request.call.traceparent);
      readOn(request.raw, deps.readOnMs);
      return reply.code(status).header('content-type', 'application/json').send(body);
    },
    handler: (request, reply) => answer(request, reply, deps),
  });
}

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: ServeTrpcDeps,
): Promise<FastifyReply> {
  const response = await fetchRequestHandler({
    endpoint,
    req: await toFetchRequest(request, deps.budget),
    router: deps.router,
    createContext: () => deps.createContext(request, reply),
    allowMethodOverride: true,
    maxBatchSize,
  });
  for (const [name, value] of response.headers) if (name !== 'vary') reply.header(name, value);
  return reply.code(response.status).send(await response.text());
}

async function toFetchRequest(request: FastifyRequest, budget: ByteBudget): Promise<Request> {
  const headers = new Headers();
  for (const name of ['content-type', 'accept', 'trpc-accept']) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  // Only path and query are read, not the host.
  const url = new URL(request.raw.url ?? endpoint, 'http://gateway.invalid');
  if (request.method !== 'POST') return new Request(url, { headers, signal: request.signal });
  mediaTypeOf(request.headers);
  const body = await withBytes(request.raw, { maxBytes: maxBodyBytes, budget }, (bytes) =>
    bytes.toString('utf8'),
  );
  return new Request(url, { method: 'POST', headers, body, signal: request.signal });
}
