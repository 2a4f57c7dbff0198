import type { Caller } from '@rubrica/contracts/shared/caller';
import type { OperatorRole, Scope, ServiceName } from '@rubrica/contracts/shared/enumerations';
import { initTRPC } from '@trpc/server';
import { SpanTemplate, templatesByName } from '../tracing/span-template.ts';
import { withSpanIn } from '../tracing/with-span.ts';
import type { BaseContext } from './call-context.ts';
import { type ServiceErrorShape, toErrorShape, toTrpcError } from './error-shape.ts';
import { fromTrpcError } from './from-trpc-error.ts';
import { assertOperator, assertPartner, assertService } from './guards.ts';
import { assertAllGuarded, markGuard } from './require-guards.ts';

const spanOf = templatesByName(
  (path) =>
    new SpanTemplate(`rpc ${path}`, {
      kind: 'server',
      facts: { 'rpc.system': 'trpc', 'rpc.method': path },
      fields: { procedure: path },
    }),
);

export interface TrpcOptions<Context> {
  /** Renders the texts of a failure for people; between services they are sent unrendered. */
  readonly localize?: (shape: ServiceErrorShape, context: Context | undefined) => ServiceErrorShape;
}

function keepShape(shape: ServiceErrorShape): ServiceErrorShape {
  return shape;
}

/**
 * Creates the tRPC root of a service: routers, procedures and the guards that decide who may call them. Every procedure
 * runs in the ambient context of its call, is measured, and fails only in the catalogue's terms. A procedure without a
 * guard is impossible: `router` throws.
 */
export function createServiceTrpc<Context extends BaseContext>({
  localize = keepShape,
}: TrpcOptions<Context> = {}) {
  const t = initTRPC.context<Context>().create({
    isDev: false,
    errorFormatter: ({ error, path, ctx }) =>
      localize(toErrorShape(error, path, ctx?.traceparent), ctx as Context | undefined),
  });

  const procedure = t.procedure.use(async ({ ctx, path, next }) => {
    const startedAt = performance.now();
    const { requestId, traceparent } = ctx;
    return withSpanIn({ requestId, traceparent }, spanOf(path), async (span) => {
      const result = await next();
      const fault = result.ok ? undefined : fromTrpcError(result.error);
      ctx.metrics?.observe(path, fault?.code ?? 'OK', (performance.now() - startedAt) / 1000);
      if (!fault) return result;
      span?.fail(fault.code);
      if (fault.code === 'INTERNAL_ERROR') {
        ctx.logger.error({ procedure: path, err: fault.cause ?? fault }, 'a call failed unexpectedly');
      }
      return { ...result, error: toTrpcError(fault) };
    });
  });

  const guard = <Kind extends Caller>(assert: (caller: Caller, peer: ServiceName) => Kind) => {
    const middleware = t.middleware(({ ctx, next }) =>
      next({ ctx: { caller: assert(ctx.caller, ctx.peer) } }),
    );
    markGuard(middleware);
    return middleware;
  };

  return {
    /**
     * Like tRPC's own.
     * @throws Error at start-up if a procedure below it has no guard
     */
    router: ((record: Parameters<typeof t.router>[0]) =>
      assertAllGuarded(t.router(record))) as typeof t.router,
    procedure,
    createCallerFactory: t.createCallerFactory,
    /** Admits only callers that `assert` accepts, in the form that it returns. */
    guard,
    /** Admits only these services, acting for themselves. */
    asService: (...names: [ServiceName, ...ServiceName[]]) => guard((caller) => assertService(caller, names)),
    /** Admits only a partner, with that scope if one is named. The use case checks which records belong to it. */
    asPartner: (scope?: Scope) => guard((caller) => assertPartner(caller, scope)),
    /** Admits only an operator of that role or a higher one. */
    asOperator: (role: OperatorRole) => guard((caller) => assertOperator(caller, role)),
    /** Admits every caller that the gateway or a service authenticates, including anonymous ones (`public`). */
    asAnyone: () => guard((caller) => caller),
  };
}
