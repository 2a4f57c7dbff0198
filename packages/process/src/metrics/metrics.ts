import * as client from 'prom-client';
import { currentContext } from '../context/ambient-context.ts';
import { isSampledTrace, readTraceId } from '../context/traceparent.ts';
import type { Metrics } from './metric-types.ts';
import { addProcessMetrics } from './process-metrics.ts';

export type { Metrics } from './metric-types.ts';

/** Buckets in seconds, from a call answered out of memory to the longest wait of ten seconds for an issuance. */
const durationBucketsSeconds: readonly number[] = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

/** Creates the metrics of one service, in registries of their own: two services can share a test process. */
export function createMetrics({
  service,
  revision,
}: {
  service: string;
  /** Commit of the build, where it is known. */
  revision?: string | undefined;
}): Metrics {
  const registries = createRegistries(service);
  const metrics: Metrics = {
    counter({ name, help, labels = [], collect }) {
      const read = collect && {
        collect() {
          counter.reset();
          counter.inc(collect());
        },
      };
      const counter = new client.Counter<string>({ name, help, labelNames: labels, registers: [], ...read });
      registries.addCounter(counter, name);
      // The type of a metric requires all of its labels: prom-client lets any of them be left out.
      return counter as never;
    },
    gauge({ name, help, labels = [], collect }) {
      const read = collect && { collect: (): Promise<void> => collectOrClear(gauge as never, collect) };
      const metric: client.Gauge = new client.Gauge<string>({
        name,
        help,
        labelNames: labels,
        registers: [],
        ...read,
      });
      const gauge = {
        set: metric.set.bind(metric),
        clear() {
          metric.reset();
          // A reset sets a gauge without labels to 0.
          metric.remove({});
        },
      };
      registries.add(metric);
      return gauge as never;
    },
    histogram({ name, help, labels = [], buckets = durationBucketsSeconds, exemplars = false }) {
      const histogram = new client.Histogram<string>({
        name,
        help,
        labelNames: labels,
        buckets: [...buckets],
        enableExemplars: exemplars,
        registers: [],
      });
      registries.add(histogram);
      return (exemplars ? observeWithTrace(histogram) : histogram) as never;
    },
    text: (format = 'prometheus') => registries[format].metrics(),
  };
  addProcessMetrics(metrics, revision);
  return metrics;
}

/** Creates a registry for each format: prom-client fixes a registry's format, and each scraper chooses its own. */
function createRegistries(service: string) {
  const prometheus = new client.Registry();
  const openmetrics = new client.Registry<client.OpenMetricsContentType>();
  openmetrics.setContentType(client.openMetricsContentType);
  prometheus.setDefaultLabels({ service });
  openmetrics.setDefaultLabels({ service });
  return {
    prometheus,
    openmetrics,
    add(metric: client.Gauge | client.Histogram) {
      prometheus.registerMetric(metric);
      openmetrics.registerMetric(metric);
    },
    /** Registers a view in OpenMetrics, where prom-client takes the suffix off the counter's name for good. */
    addCounter(counter: client.Counter, name: string) {
      prometheus.registerMetric(counter);
      const family = { value: name.replace(/_total$/, ''), writable: true };
      openmetrics.registerMetric(Object.create(counter, { name: family }) as client.Counter);
    },
  };
}

async function collectOrClear<Gauge extends { clear(): void }>(
  gauge: Gauge,
  collect: (gauge: Gauge) => void | Promise<void>,
): Promise<void> {
  try {
    await collect(gauge);
  } catch {
    gauge.clear();
  }
}

function observeWithTrace(histogram: client.Histogram) {
  return {
    observe(...args: [value: number] | [labels: Record<string, string | number>, value: number]) {
      const [labels, value] = args.length === 1 ? [{}, args[0]] : args;
      const traceId = sampledTraceId();
      histogram.observe({ labels, value, ...(traceId && { exemplarLabels: { trace_id: traceId } }) });
    },
  };
}

/** An exemplar leads to a trace, so only to one that is kept. */
function sampledTraceId(): string | undefined {
  const traceparent = currentContext()?.traceparent;
  return traceparent !== undefined && isSampledTrace(traceparent) ? readTraceId(traceparent) : undefined;
}
