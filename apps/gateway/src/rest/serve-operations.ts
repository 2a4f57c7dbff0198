import type { Operation } from '@rubrica/contracts/rest/operation';
import { type OperationId, operations } from '@rubrica/contracts/rest/operations';
import { type SandboxOperationId, sandboxOperations } from '@rubrica/contracts/rest/sandbox';
import type { Scope } from '@rubrica/contracts/shared/enumerations';
import { AppError } from '@rubrica/process/errors';
import { SpanTemplate, withSpan } from '@rubrica/process/tracing';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { AuthenticatePartner } from '../auth/authenticate-partner.ts';
import { createOAuthErrorHandler } from '../auth/token/oauth-errors.ts';
import type { StoredFiles } from '../body/files/stored-files.ts';
import type { Handler } from '../http/handler.ts';
import type { Limit, RateLimits } from '../http/rate-limits.ts';
import type { SendError } from '../http/send-error.ts';
import { buildDeprecationHeaders } from './deprecation-headers.ts';
import { assertScope } from './scope.ts';

export interface OperationsDeps {
  readonly handlers: Readonly<Record<OperationId, Handler>>;
  /** Handlers of the sandbox; undefined elsewhere. */
  readonly sandboxHandlers: Readonly<Record<SandboxOperationId, Handler>> | undefined;
  readonly authenticate: AuthenticatePartner;
  readonly limits: RateLimits;
  readonly storedFiles: Pick<StoredFiles, 'within'>;
  readonly sendError: SendError;
}

/** Registers one route per row of the contracts' table. The caller is authenticated before its body is read. */
export function serveOperations(app: FastifyInstance, deps: OperationsDeps): void {
  const { sandboxHandlers, storedFiles } = deps;
  const handlers = { ...deps.handlers, ...sandboxHandlers } as Readonly<Record<ServedId, Handler>>;
  const rows = { ...operations, ...(sandboxHandlers && sandboxOperations) };
  for (const [id, operation] of Object.entries(rows) as [ServedId, Operation][]) {
    const handler = handlers[id];
    const { method, path, access } = operation;
    const url = path.replaceAll(/\{(\w+)\}/g, ':$1');
    const isBatch = operation.mediaType === 'application/x-ndjson';
    const gate =
      access === 'public' ? publicGate(id, deps.limits) : partnerGate({ id, access, isBatch }, deps);
    const commonHeaders = buildDeprecationHeaders(operation.deprecated);
    const span = new SpanTemplate(`${method} ${url}`, {
      kind: 'server',
      facts: { 'http.request.method': method, 'http.route': url },
      fields: { route: url },
    });
    const route: RouteOptions = {
      method,
      url,
      config: {
        operation: id,
        ...(access === 'public' || access === 'any' ? {} : { scope: access }),
        ...(isBatch ? { takesItsTime: true } : {}),
      },
      onRequest: (request, reply) => gate(request, reply.headers(commonHeaders)),
      handler: (request, reply) =>
        storedFiles.within(request, () => withSpan(span, async () => handler(request, reply))),
    };
    if (id === 'token') route.errorHandler = createOAuthErrorHandler(deps.sendError);
    app.route(route);
  }
}

type ServedId = OperationId | SandboxOperationId;
type Gate = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

function partnerGate(
  {
    id,
    access,
    isBatch,
  }: { readonly id: ServedId; readonly access: Scope | 'any'; readonly isBatch: boolean },
  { authenticate, limits }: OperationsDeps,
): Gate {
  return async (request, reply) => {
    const caller = await identify(request, reply, { authenticate, refusals: limits.refusals });
    request.caller = caller;
    // Each line of a batch is counted separately.
    if (!isBatch) await limits.partner?.(request, reply);
    if (access !== 'any') assertScope(caller, access);
    if (id === 'testEvent') await limits.testEvents?.(request, reply);
  };
}

async function identify(
  request: FastifyRequest,
  reply: FastifyReply,
  { authenticate, refusals }: { authenticate: AuthenticatePartner; refusals: Limit | undefined },
) {
  try {
    return await authenticate(request.headers.authorization);
  } catch (error) {
    if (error instanceof AppError && error.code === 'UNAUTHENTICATED') await refusals?.(request, reply);
    throw error;
  }
}

function publicGate(id: ServedId, limits: RateLimits): Gate {
  const limit = id === 'token' ? limits.signIn : limits.address;
  return async (request, reply) => limit?.(request, reply);
}
