import type { Metrics } from '@rubrica/process';

export interface KeyPoolMetrics {
  level(now: { ready: number; waiting: number }): void;
  taken(source: 'pool' | 'fresh'): void;
  made(seconds: number): void;
}

/** The pool's figures for Prometheus. */
export function createKeyPoolMetrics(metrics: Metrics): KeyPoolMetrics {
  const ready = metrics.gauge({ name: 'key_pool_ready', help: 'Keys made ahead and not yet used' });
  const waiting = metrics.gauge({ name: 'key_pool_waiting', help: 'Certificates that wait for a key' });
  const taken = metrics.counter({
    name: 'key_pool_taken_total',
    help: 'Keys handed out, from the pool or made on demand',
    labels: ['source'],
  });
  const duration = metrics.histogram({ name: 'key_generation_seconds', help: 'Time to make one key' });
  return {
    level(now) {
      ready.set(now.ready);
      waiting.set(now.waiting);
    },
    taken: (source) => taken.inc({ source }),
    made: (seconds) => duration.observe(seconds),
  };
}
