import { performance } from 'node:perf_hooks';
import { release } from '../release.ts';
import { metric } from './metric-row.ts';
import type { Metrics } from './metric-types.ts';

/**
 * Adds the process metrics with the names of Prometheus' own clients, read at a scrape only: the default set costs
 * timers and hooks.
 */
export function addProcessMetrics(metrics: Metrics, revision: string | undefined): void {
  const startedAtSeconds = Math.round(Date.now() / 1000 - process.uptime());
  metrics.gauge(metric('rubrica_build_info')).set({ version: release, revision: revision ?? 'unknown' }, 1);
  metrics.gauge({
    ...metric('process_start_time_seconds'),
    collect: (gauge) => gauge.set(startedAtSeconds),
  });
  metrics.gauge({
    ...metric('process_resident_memory_bytes'),
    collect: (gauge) => gauge.set(process.memoryUsage.rss()),
  });
  metrics.counter({
    ...metric('process_cpu_seconds_total'),
    collect() {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
  });
  let last = performance.eventLoopUtilization();
  metrics.gauge({
    ...metric('rubrica_event_loop_utilization_ratio'),
    collect: (gauge) => {
      const now = performance.eventLoopUtilization();
      gauge.set(performance.eventLoopUtilization(now, last).utilization);
      last = now;
    },
  });
}

const lagIntervalMs = 500;

/**
 * Measures the delay of a timer, which is the delay of everything else.
 * @returns a function that ends the measurement
 */
export function watchEventLoop(metrics: Pick<Metrics, 'gauge'>): () => void {
  let worstMs = 0;
  let dueAt = performance.now() + lagIntervalMs;
  const timer = setInterval(() => {
    const now = performance.now();
    worstMs = Math.max(worstMs, now - dueAt);
    dueAt = now + lagIntervalMs;
  }, lagIntervalMs).unref();
  metrics.gauge({
    ...metric('rubrica_event_loop_lag_seconds'),
    collect(gauge) {
      gauge.set(Math.max(worstMs, performance.now() - dueAt, 0) / 1_000);
      worstMs = 0;
    },
  });
  return () => clearInterval(timer);
}
