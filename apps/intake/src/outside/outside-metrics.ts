import type { Metrics } from '@rubrica/process';
import type { BreakerState } from './breaker.ts';
import type { CallEnd } from './judge-answer.ts';

export interface OutsideMetrics {
  called(call: { system: string; outcome: CallEnd; durationMs: number }): void;
  retried(system: string): void;
  /** From now on the state of this system's breaker is exposed. */
  watch(system: string, state: () => BreakerState['kind']): void;
}

const breakerValues = { closed: 0, 'half-open': 1, open: 2 } satisfies Record<BreakerState['kind'], number>;

export function createOutsideMetrics(metrics: Metrics): OutsideMetrics {
  const watched = new Map<string, () => BreakerState['kind']>();
  const calls = metrics.counter({
    name: 'rubrica_outside_calls_total',
    help: 'Calls of registries and liveness, retries included in their call, by how they ended',
    labels: ['system', 'outcome'],
  });
  const durations = metrics.histogram({
    name: 'rubrica_outside_call_duration_seconds',
    help: 'Time of one call of a registry or of liveness, retries and waits included',
    labels: ['system', 'outcome'],
  });
  const retries = metrics.counter({
    name: 'rubrica_outside_retries_total',
    help: 'Quick retries within calls of registries and liveness',
    labels: ['system'],
  });
  metrics.gauge({
    name: 'rubrica_outside_breaker_state',
    help: 'Breaker of a registry or of liveness in this copy: 0 closed, 1 one probe under way, 2 open',
    labels: ['system'],
    collect(gauge) {
      for (const [system, state] of watched) gauge.set({ system }, breakerValues[state()]);
    },
  });
  return {
    called({ system, outcome, durationMs }) {
      calls.inc({ system, outcome });
      durations.observe({ system, outcome }, durationMs / 1_000);
    },
    retried: (system) => retries.inc({ system }),
    watch: (system, state) => void watched.set(system, state),
  };
}
