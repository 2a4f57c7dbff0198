import { performance } from 'node:perf_hooks';
import {
  type Counter,
  createDistributions,
  createValues,
  type Gauge,
  type Histogram,
  type MetricOptions,
  type Sample,
  splitArguments,
} from './series.ts';

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

type Registered = {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  samples: () => Sample[];
  collect?: () => void | Promise<void>;
};

/**
 * Counters, gauges and histograms in Prometheus' text format 0.0.4, in a registry of its own for each caller, so
 * that two services can live in one test process.
 *
 * Written here because the usual client takes several MB of every service for what is one page.
 */
export function createMetrics({ service }: { service: string }): Metrics {
  const registered = new Map<string, Registered>();
  const register = (metric: Registered): void => {
    if (registered.has(metric.name)) throw new Error(`there is a metric ${metric.name} already`);
    registered.set(metric.name, metric);
  };
  const metrics: Metrics = {
    counter({ name, help, labels = [] }) {
      const values = createValues(labels);
      register({ name, help, type: 'counter', samples: values.samples });
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
      };
      const asked = collect && { collect: () => collect(gauge as never) };
      register({ name, help, type: 'gauge', samples: values.samples, ...asked });
      return gauge as never;
    },
    histogram({ name, help, labels = [], buckets = durationBucketsSeconds }) {
      const distributions = createDistributions(labels, buckets);
      register({ name, help, type: 'histogram', samples: distributions.samples });
      return {
        observe(...args: readonly unknown[]) {
          const { labels: given, value } = splitArguments(args);
          distributions.observe(given, value);
        },
      };
    },
    async text() {
      await Promise.all([...registered.values()].map(({ collect }) => collect?.()));
      return [...registered.values()].map((metric) => exposition(metric, `service="${service}"`)).join('');
    },
    contentType: 'text/plain; version=0.0.4; charset=utf-8',
  };
  addProcessMetrics(metrics);
  return metrics;
}

function exposition({ name, help, type, samples }: Registered, common: string): string {
  const lines = samples().map(({ suffix, labels, value }) => {
    const all = labels === '' ? common : `${common},${labels}`;
    return `${name}${suffix}{${all}} ${value}\n`;
  });
  return `# HELP ${name} ${help.replace(/[\\\n]/g, ' ')}\n# TYPE ${name} ${type}\n${lines.join('')}`;
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
