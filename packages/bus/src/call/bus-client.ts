import { createTRPCUntypedClient, type TRPCClient } from '@trpc/client';
import type { AnyTRPCRouter } from '@trpc/server';
import type { Bus } from '../connection/connect-bus.ts';
import { busLink, callDeps } from './bus-link.ts';
import { procedureProxy } from './procedure-proxy.ts';
import { type BusClientOptions, startCall } from './start-call.ts';

/** Symbol by which `getUntypedClient` of `@trpc/client` finds the untyped client behind a typed one. */
const untypedClient = Symbol.for('trpc_untypedClient');
const noContext = {};

/**
 * Creates a typed client for a router on the bus, with the surface of `createTRPCClient`. It does not use links: tRPC's
 * chain creates an observable, an abort controller and an exception per call, more work than the call itself. For
 * further links combine `busLink` with `createTRPCClient`.
 */
export function createBusClient<TRouter extends AnyTRPCRouter>(
  bus: Bus,
  options: BusClientOptions,
): TRPCClient<TRouter> {
  const deps = callDeps(bus, options);
  const procedures = procedureProxy(({ type, path }, input, { context = noContext, signal } = {}) => {
    const operation = { type, path, input, context, signal };
    return new Promise((data, error) => void startCall<TRouter>(deps, operation, { data, error }));
  });
  return new Proxy(procedures, {
    get: (target, key) =>
      key === untypedClient
        ? createTRPCUntypedClient<TRouter>({ links: [busLink<TRouter>(bus, options)] })
        : Reflect.get(target, key),
  }) as TRPCClient<TRouter>;
}
