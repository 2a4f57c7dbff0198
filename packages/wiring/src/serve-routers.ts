import { type Bus, type ServedRouter, serveRouter } from '@rubrica/bus';
import { servedAt } from '@rubrica/contracts/services/subjects';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { createCallContext, createCallMetrics, type Identify, type ServiceParts } from '@rubrica/process';
import type { Implemented } from './calls/implement.ts';

export interface ServedRouters {
  readonly name: ServiceName;
  readonly bus: Bus;
  /** Whom the tokens that come with calls speak for. */
  readonly identify: Identify;
  /** As `implement` makes them: calls at `rpc.v2.<name>`, operators at `ops.v2.<name>`. */
  readonly routers: Implemented;
}

/** Serves a service's routers and says how many calls are under way; both end before anything that was owned earlier is stopped. */
export async function serveRouters(
  { name, bus, identify, routers }: ServedRouters,
  { logger, metrics, runner, clock }: Pick<ServiceParts, 'logger' | 'metrics' | 'runner' | 'clock'>,
): Promise<{ inFlight(): number }> {
  // Calls bring tokens, which cannot be judged before the time is known.
  await clock.measured();
  const createContext = createCallContext(identify, logger, createCallMetrics(metrics));
  const served = [
    ['service router', servedAt('rpc', name), routers.calls],
    ['operator router', servedAt('ops', name), routers.operators],
  ] as const;
  const running: ServedRouter[] = [];
  for (const [label, subjectPrefix, router] of served) {
    const started = await serveRouter(bus, {
      router,
      subjectPrefix,
      namesCaller: true,
      queue: name,
      createContext,
    });
    runner.own(label, () => started.stop());
    running.push(started);
  }
  return { inFlight: () => running.reduce((sum, one) => sum + one.inFlight(), 0) };
}
