import { performance } from 'node:perf_hooks';
import { release } from '../release.ts';
import type { Metrics } from './registry.ts';

/** Names as Prometheus' own clients use them, read at a scrape only: the default set costs timers and hooks. */
export function addProcessMetrics(metrics: Metrics): void {
  const startedAtSeconds = Math.round(Date.now() / 1000 - process.uptime());
  metrics
    .gauge({ name: 'rubrica_build_info', help: 'Always 1; the release that runs', labels: ['version'] })
    .set({ version: release }, 1);
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
  metrics.counter({
    name: 'process_cpu_seconds_total',
    help: 'Processor time used, user and system',
    collect() {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
  });
  let last = performance.eventLoopUtilization();
  metrics.gauge({
    name: 'rubrica_event_loop_utilization_ratio',
    help: 'Share of time the event loop was busy since the last scrape, 0 to 1',
    collect: (gauge) => {
      const now = performance.eventLoopUtilization();
      gauge.set(performance.eventLoopUtilization(now, last).utilization);
      last = now;
    },
  });
}

const lagIntervalMs = 500;

/** How late a timer comes is how long everything else waits. Returns how to end the watch. */
export function watchEventLoop(metrics: Pick<Metrics, 'gauge'>): () => void {
  let worstMs = 0;
  let dueAt = performance.now() + lagIntervalMs;
  const timer = setInterval(() => {
    const now = performance.now();
    worstMs = Math.max(worstMs, now - dueAt);
    dueAt = now + lagIntervalMs;
  }, lagIntervalMs).unref();
  metrics.gauge({
    name: 'rubrica_event_loop_lag_seconds',
    help: 'Longest that the event loop kept a timer waiting since the last scrape, looked at twice a second',
    collect(gauge) {
      gauge.set(Math.max(worstMs, performance.now() - dueAt, 0) / 1_000);
      worstMs = 0;
    },
  });
  return () => clearInterval(timer);
}
