import { currentContext } from '../context/ambient-context.ts';
import { isKept, traceIdOf } from '../context/traceparent.ts';
import { exposition, formats, type Registered } from './exposition.ts';
import { addProcessMetrics } from './process-metrics.ts';
import type { Metrics } from './registry.ts';
import { createDistributions, createValues, splitArguments } from './series.ts';

export type { Metrics } from './registry.ts';

/** Seconds, from a call answered out of memory to the ten seconds an issuance may be waited for. */
export const durationBucketsSeconds: readonly number[] = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

/**
 * Counters, gauges and histograms in Prometheus' text format 0.0.4 or OpenMetrics 1.0, in a registry of its own for each caller, so
 * that two services can live in one test process.
 *
 * Written here because the usual client takes several MB of every service for what is one page.
 */
export function createMetrics({
  service,
  revision,
}: {
  service: string;
  /** The commit that it was built from, where that is known. */
  revision?: string | undefined;
}): Metrics {
  const registered = new Map<string, Registered>();
  const register = (metric: Registered): void => {
    if (registered.has(metric.name)) throw new Error(`there is a metric ${metric.name} already`);
    registered.set(metric.name, metric);
  };
  const metrics: Metrics = {
    counter({ name, help, labels = [], collect }) {
      const values = createValues(labels);
      register({
        name,
        help,
        type: 'counter',
        samples: values.samples,
        ...(collect && { collect: () => values.set({}, collect()) }),
      });
      return {
        inc: (...args: readonly unknown[]) => values.add((args[0] ?? {}) as Record<string, string>, 1),
      };
    },
    gauge({ name, help, labels = [], collect }) {
      const values = createValues(labels);
      const gauge = {
        set(...args: readonly unknown[]) {
          const { labels: given, value } = splitArguments(args);
          values.set(given, value);
        },
        clear: values.clear,
      };
      const asked = collect && {
        async collect() {
          try {
            await collect(gauge as never);
          } catch {
            values.clear();
          }
        },
      };
      register({ name, help, type: 'gauge', samples: values.samples, ...asked });
      return gauge as never;
    },
    histogram({ name, help, labels = [], buckets = durationBucketsSeconds, exemplars = false }) {
      const distributions = createDistributions(labels, buckets);
      register({ name, help, type: 'histogram', samples: distributions.samples });
      return {
        observe(...args: readonly unknown[]) {
          const { labels: given, value } = splitArguments(args);
          const traceId = exemplars ? sampledTraceId() : undefined;
          distributions.observe(given, value, traceId);
        },
      };
    },
    async text(format = 'prometheus') {
      await Promise.all([...registered.values()].map(({ collect }) => collect?.()));
      const of = (metric: Registered) => exposition(metric, { common: `service="${service}"`, format });
      return `${[...registered.values()].map(of).join('')}${formats[format].end}`;
    },
  };
  addProcessMetrics(metrics, revision);
  return metrics;
}

/** An exemplar leads to a trace, so only to one that is kept. */
function sampledTraceId(): string | undefined {
  const traceparent = currentContext()?.traceparent;
  return traceparent !== undefined && isKept(traceparent) ? traceIdOf(traceparent) : undefined;
}
