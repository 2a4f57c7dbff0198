import type { KeyAlgorithm } from '@rubrica/pki';
import { type Metrics, metric } from '@rubrica/process/metrics';

export interface KeyPoolMetrics {
  level(now: { ready: number; waiting: number }): void;
  taken(source: 'pool' | 'fresh'): void;
  made(seconds: number): void;
}

/** Creates the metrics of the pools, by key algorithm. */
export function createKeyPoolMetrics(metrics: Metrics): (algorithm: KeyAlgorithm) => KeyPoolMetrics {
  const ready = metrics.gauge(metric('rubrica_key_pool_ready'));
  const waiting = metrics.gauge(metric('rubrica_key_pool_waiting'));
  const taken = metrics.counter(metric('rubrica_key_pool_taken_total'));
  const duration = metrics.histogram(metric('rubrica_key_generation_seconds'));
  return (algorithm) => ({
    level(now) {
      ready.set({ algorithm }, now.ready);
      waiting.set({ algorithm }, now.waiting);
    },
    taken: (source) => taken.inc({ source, algorithm }),
    made: (seconds) => duration.observe({ algorithm }, seconds),
  });
}
