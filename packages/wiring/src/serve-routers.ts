import { type Bulkhead, type Bus, type ServedRouter, serveRouter } from '@rubrica/bus';
import type { OperatorProcedure } from '@rubrica/contracts/operators/procedure';
import { operatorProcedures } from '@rubrica/contracts/operators/procedures';
import { bulkheads, type Call } from '@rubrica/contracts/services/call';
import { serviceCalls } from '@rubrica/contracts/services/calls';
import { toServiceSubject } from '@rubrica/contracts/services/subjects';
import { type ServiceName, services } from '@rubrica/contracts/shared/enumerations';
import type { ServiceParts } from '@rubrica/process/runner';
import { createCallContext, createCallMetrics, type Identify } from '@rubrica/process/trpc';
import type { ServiceRouters } from './calls/implement.ts';

export interface ServedRouters {
  readonly name: ServiceName;
  readonly bus: Bus;
  /** Identifies the principal of the tokens that calls contain. */
  readonly identify: Identify;
  /** Routers of `implement`: calls at `rpc.v2.<name>`, operators at `ops.v2.<name>`. */
  readonly routers: ServiceRouters;
}

/**
 * Serves a service's routers and counts the calls in progress; serving ends before any resource that was owned earlier
 * is stopped.
 */
export async function serveRouters(
  { name, bus, identify, routers }: ServedRouters,
  { logger, metrics, runner, clock }: Pick<ServiceParts, 'logger' | 'metrics' | 'runner' | 'clock'>,
): Promise<{ inFlight(): number }> {
  // Calls contain tokens, which cannot be checked before the time is known.
  await clock.measured();
  const createContext = createCallContext(identify, logger, createCallMetrics(metrics));
  const calls: Readonly<Record<string, Call>> = serviceCalls[name];
  const procedures: Readonly<Record<string, OperatorProcedure>> = operatorProcedures;
  const served = [
    ['service router', toServiceSubject('rpc', name), routers.calls, calls],
    ['operator router', toServiceSubject('ops', name), routers.operators, procedures],
  ] as const;
  const running: ServedRouter[] = [];
  for (const [label, subjectPrefix, router, rows] of served) {
    const started = await serveRouter(bus, {
      router,
      subjectPrefix,
      callers: services,
      queue: name,
      createContext,
      bulkheadFor: readBulkheads(rows),
    });
    runner.own(label, () => started.stop());
    running.push(started);
  }
  return { inFlight: () => running.reduce((sum, one) => sum + one.inFlight(), 0) };
}

type Row = Pick<Call | OperatorProcedure, 'bulkhead'>;

/** Creates the lookup of a call's bulkhead in its row. */
function readBulkheads(rows: Readonly<Record<string, Row>>): (path: string) => Bulkhead | undefined {
  const byPath = new Map(
    Object.entries(rows).flatMap(([path, { bulkhead: name }]) =>
      name === undefined ? [] : [[path, { name, maxInFlight: bulkheads[name].maxInFlight }] as const],
    ),
  );
  return (path) => byPath.get(path);
}
