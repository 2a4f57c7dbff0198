import type { TRPCLink } from '@trpc/client';
import type { AnyTRPCRouter, TRPCCombinedDataTransformer } from '@trpc/server';
import { observable } from '@trpc/server/observable';
import type { Bus } from '../connection/connect-bus.ts';
import { assertSubject } from '../wire/subjects.ts';
import { createBundles } from './bundles.ts';
import { type BusClientOptions, type CallDeps, startCall } from './start-call.ts';

/**
 * Creates a terminating link that calls a router served by `serveRouter`. Aborting the operation, or unsubscribing from
 * its observable, tells the server. Errors of the bus have `meta.bus`: see `busFailure`.
 */
export function busLink<TRouter extends AnyTRPCRouter>(
  bus: Bus,
  options: BusClientOptions,
): TRPCLink<TRouter> {
  const deps = callDeps(bus, options);
  return () =>
    ({ op }) =>
      observable((observer) => {
        const call = startCall<TRouter>(deps, op, {
          data(data) {
            observer.next({ result: { data } });
            observer.complete();
          },
          error: (error) => observer.error(error),
        });
        return () => call.giveUp();
      });
}

/** Checks the options once, so that calls need not. */
export function callDeps(bus: Bus, options: BusClientOptions): CallDeps {
  assertSubject(options.subjectPrefix);
  const transformer = bothWays(options.transformer);
  const requests = bus.requests.lane();
  const bundles = createBundles({ bus, requests, options, transformer });
  return { bus, requests, options, transformer, nextId: createCounter(), bundles };
}

function createCounter(): () => number {
  let last = 0;
  return () => {
    last += 1;
    return last;
  };
}

function bothWays(transformer: BusClientOptions['transformer']): TRPCCombinedDataTransformer | undefined {
  if (transformer === undefined || 'input' in transformer) return transformer;
  return { input: transformer, output: transformer };
}
