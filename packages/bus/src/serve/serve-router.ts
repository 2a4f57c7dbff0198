import { type AnyTRPCRouter, TRPCError } from '@trpc/server';
import type { Bus } from '../connection/connect-bus.ts';
import { flush } from '../connection/flush.ts';
import { assertSubject, cancelToken, toInboxPrefix } from '../wire/subjects.ts';
import { listAddressed } from './address.ts';
import { createAnswerer } from './answerer.ts';
import { type CallIntake, openCallIntake } from './call-intake.ts';
import { announce, type ServiceDescription } from './discovery.ts';
import { createInFlight, type InFlight } from './in-flight.ts';
import { createReceiver } from './receiver.ts';
import type { ServeError, ServeOptions } from './serve-options.ts';
import { createStatistics } from './statistics.ts';
import { createTickGroups } from './tick-groups.ts';

export interface ServedRouter {
  /** Id of the copy in discovery. */
  readonly id: string;
  /** Counts calls in progress, without those of bulkheads. */
  inFlight(): number;
  /**
   * Takes no further calls and resolves when the running ones have answered. After `graceMs` (default: no limit) their
   * signals are aborted; it still waits for them to end.
   */
  stop(options?: { graceMs?: number }): Promise<void>;
}

const defaultMaxInFlight = 256;

/**
 * Serves a router. Resolves when nats-server has accepted the subscription, so that later calls reach it; rejects if it
 * may not subscribe. A call with a permitted reply subject is always answered.
 */
export async function serveRouter<TRouter extends AnyTRPCRouter>(
  bus: Bus,
  options: ServeOptions<TRouter>,
): Promise<ServedRouter> {
  const { router, subjectPrefix, callers, queue, maxInFlight = defaultMaxInFlight } = options;
  for (const caller of callers ?? []) toInboxPrefix(caller);
  assertSubject(`${subjectPrefix}.${cancelToken}`);
  assertSubject(queue);
  const description = describe(options);
  const statistics = createStatistics(procedurePaths(router, subjectPrefix));
  const inFlight = createInFlight();
  const onError = guardListener(bus, options.onError);
  const answerer = createAnswerer({ bus, router, statistics, onError });
  const turns = createTickGroups();
  let refusal: Error | undefined;
  const onRefused = (error: Error) => {
    refusal = error;
    bus.fault(error, `serving ${subjectPrefix}`);
  };
  const shared = { maxInFlight, inFlight, turns, statistics, answerer, onError, seals: bus.seals };
  const intakes = listAddressed(subjectPrefix, callers).map((addressed) =>
    openCallIntake({
      ...{ bus, queue, addressed, inFlight, onRefused },
      createReceiver: (waste) => createReceiver({ ...options, ...shared, addressed, waste }),
    }),
  );
  const discovery = announce(bus, description, statistics);
  const stop = createStop({ bus, inFlight, discovery, intakes });
  await flush(bus);
  if (refusal !== undefined) {
    await stop();
    throw refusal;
  }
  return { id: discovery.id, inFlight: () => inFlight.size(), stop };
}

interface Parts {
  readonly bus: Bus;
  readonly inFlight: InFlight;
  readonly discovery: { stop(): Promise<void> };
  readonly intakes: readonly CallIntake[];
}

function createStop({ bus, inFlight, discovery, intakes }: Parts): ServedRouter['stop'] {
  return async ({ graceMs } = {}) => {
    await discovery.stop();
    // Calls that nats-server had already delivered still run.
    await Promise.all(intakes.map((intake) => intake.drain()));
    const giveUp = () => inFlight.abortAll(serviceStopping());
    const patience = graceMs === undefined ? undefined : setTimeout(giveUp, graceMs);
    await inFlight.idle();
    clearTimeout(patience);
    for (const intake of intakes) intake.close();
    inFlight.close();
    await flush(bus);
  };
}

/** Lists the paths for counters and discovery; fails early for procedures that no caller could reach. */
function procedurePaths(router: AnyTRPCRouter, subjectPrefix: string): string[] {
  const paths = Object.keys(router._def.procedures);
  for (const path of paths) {
    assertSubject(`${subjectPrefix}.${path}`);
    if (path === cancelToken || path.startsWith(`${cancelToken}.`)) {
      throw new TypeError(`"${cancelToken}" is taken by the bus: ${path}`);
    }
  }
  return paths;
}

function describe(options: ServeOptions<AnyTRPCRouter>): ServiceDescription {
  const { subjectPrefix, callers, queue, version = '0.0.0', description = '' } = options;
  const name = options.name ?? subjectPrefix.replaceAll('.', '-');
  if (!/^[A-Za-z0-9_-]+$/.test(name)) throw new TypeError(`Not a service name: ${JSON.stringify(name)}`);
  return {
    name,
    version,
    description,
    subjectPrefix: callers === undefined ? subjectPrefix : `${subjectPrefix}.*`,
    queue,
  };
}

function serviceStopping(): TRPCError {
  return new TRPCError({ code: 'SERVICE_UNAVAILABLE', message: 'The service is stopping' });
}

/** Wraps the listener: one that throws must not cost the caller its answer. */
function guardListener(
  bus: Bus,
  onError: ServeOptions<AnyTRPCRouter>['onError'],
): (failure: ServeError) => void {
  return (failure) => {
    try {
      onError?.(failure);
    } catch (error) {
      bus.fault(error, 'onError');
    }
  };
}
