import { Counter, Gauge, Histogram, Registry } from 'prom-client';

type MetricOptions<Label extends string> = { name: string; help: string; labels?: readonly Label[] };

export type Metrics = {
  counter<Label extends string = never>(options: MetricOptions<Label>): Counter<Label>;
  /** `collect` is asked at each scrape, for values that are cheaper to read than to keep. */
  gauge<Label extends string = never>(
    options: MetricOptions<Label> & { collect?: (gauge: Gauge<Label>) => void | Promise<void> },
  ): Gauge<Label>;
  histogram<Label extends string = never>(
    options: MetricOptions<Label> & { buckets?: readonly number[] },
  ): Histogram<Label>;
  text(): Promise<string>;
  readonly contentType: string;
};

/** Seconds, from a call answered out of memory to the ten seconds an issuance may be waited for. */
export const durationBucketsSeconds: readonly number[] = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

/** A registry of its own for each caller, so that two services can live in one test process. */
export function createMetrics({ service }: { service: string }): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  const registers = [registry];
  const metrics: Metrics = {
    counter: ({ name, help, labels = [] }) => new Counter({ name, help, labelNames: labels, registers }),
    gauge: ({ name, help, labels = [], collect }) => {
      const gauge = new Gauge({ name, help, labelNames: labels, registers });
      // prom-client calls it as a method of the gauge; handing the gauge over needs no `this`.
      if (collect) Object.assign(gauge, { collect: () => collect(gauge) });
      return gauge;
    },
    histogram: ({ name, help, labels = [], buckets = durationBucketsSeconds }) =>
      new Histogram({ name, help, labelNames: labels, buckets: [...buckets], registers }),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
  addProcessMetrics(metrics);
  return metrics;
}

/** Names as Prometheus' own clients use them, read at a scrape only: the default set costs timers and hooks. */
function addProcessMetrics(metrics: Metrics): void {
  const startedAtSeconds = Math.round(Date.now() / 1000 - process.uptime());
  metrics.gauge({
    name: 'process_start_time_seconds',
    help: 'Start of the process, seconds since 1970',
    collect: (gauge) => gauge.set(startedAtSeconds),
  });
  metrics.gauge({
    name: 'process_resident_memory_bytes',
    help: 'Resident memory',
    collect: (gauge) => gauge.set(process.memoryUsage.rss()),
  });
  metrics.gauge({
    name: 'process_cpu_seconds_total',
    help: 'Processor time used, user and system',
    collect: (gauge) => {
      const { user, system } = process.cpuUsage();
      gauge.set((user + system) / 1e6);
    },
  });
  let last = performance.eventLoopUtilization();
  metrics.gauge({
    name: 'nodejs_eventloop_utilization',
    help: 'Share of time the event loop was busy since the last scrape, 0 to 1',
    collect: (gauge) => {
      const now = performance.eventLoopUtilization();
      gauge.set(performance.eventLoopUtilization(now, last).utilization);
      last = now;
    },
  });
}
