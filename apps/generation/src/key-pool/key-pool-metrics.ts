import type { KeyAlgorithm } from '@rubrica/pki';
import type { Metrics } from '@rubrica/process';

export interface KeyPoolMetrics {
  level(now: { ready: number; waiting: number }): void;
  taken(source: 'pool' | 'fresh'): void;
  made(seconds: number): void;
}

/** The pools' figures for Prometheus, by the kind of key. */
export function createKeyPoolMetrics(metrics: Metrics): (algorithm: KeyAlgorithm) => KeyPoolMetrics {
  const labels = ['algorithm'] as const;
  const ready = metrics.gauge({
    name: 'rubrica_key_pool_ready',
    help: 'Keys made ahead and not yet used',
    labels,
  });
  const waiting = metrics.gauge({
    name: 'rubrica_key_pool_waiting',
    help: 'Certificates that wait for a key',
    labels,
  });
  const taken = metrics.counter({
    name: 'rubrica_key_pool_taken_total',
    help: 'Keys handed out, from the pool or made on demand',
    labels: ['source', 'algorithm'],
  });
  const duration = metrics.histogram({
    name: 'rubrica_key_generation_seconds',
    help: 'Time to make one key',
    labels,
  });
  return (algorithm) => ({
    level(now) {
      ready.set({ algorithm }, now.ready);
      waiting.set({ algorithm }, now.waiting);
    },
    taken: (source) => taken.inc({ source, algorithm }),
    made: (seconds) => duration.observe({ algorithm }, seconds),
  });
}
