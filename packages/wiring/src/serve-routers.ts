import { type Bus, type ServedRouter, serveRouter } from '@rubrica/bus';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import {
  type BaseContext,
  createCallContext,
  createCallMetrics,
  type Keyring,
  type ServiceParts,
} from '@rubrica/process';
import type { AnyTRPCRouter } from '@trpc/server';
import type { Implemented } from './calls/implement.ts';

export interface ServedRouters<Deps = object> {
  readonly name: ServiceName;
  readonly bus: Bus;
  readonly keyring: Keyring;
  /** What the use cases of routers that were built by hand are given beside their caller. */
  readonly deps?: Deps;
  /** For peers, at `rpc.v1.<name>`. */
  readonly service?: AnyTRPCRouter;
  /** For people through the gateway, at `ops.v1.<name>`. */
  readonly operators?: AnyTRPCRouter;
  /** Both, as `implement` makes them. */
  readonly routers?: Implemented;
}

/** Serves a service's routers and says how many calls are under way; both end before anything that was owned earlier is stopped. */
export async function serveRouters<Deps extends object>(
  served: ServedRouters<Deps>,
  { logger, metrics, runner }: Pick<ServiceParts, 'logger' | 'metrics' | 'runner'>,
): Promise<{ inFlight(): number }> {
  const { name, bus, keyring, deps } = served;
  const callContext = createCallContext(keyring, logger, createCallMetrics(metrics));
  const createContext = async (call: Parameters<typeof callContext>[0]): Promise<BaseContext> => ({
    ...(await callContext(call)),
    ...deps,
  });
  const routers = [
    ['service router', `rpc.v1.${name}`, served.routers?.calls ?? served.service],
    ['operator router', `ops.v1.${name}`, served.routers?.operators ?? served.operators],
  ] as const;
  const running: ServedRouter[] = [];
  for (const [label, subjectPrefix, router] of routers) {
    if (router === undefined) continue;
    const started = await serveRouter(bus, { router, subjectPrefix, queue: name, createContext });
    runner.own(label, () => started.stop());
    running.push(started);
  }
  return { inFlight: () => running.reduce((sum, one) => sum + one.inFlight(), 0) };
}
