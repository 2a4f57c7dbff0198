import { type Metrics, metric } from '@rubrica/process/metrics';
import type { BreakerState } from './breaker.ts';
import type { CallEnd } from './judge-answer.ts';

export interface OutsideMetrics {
  called(call: { system: string; outcome: CallEnd; durationMs: number }): void;
  retried(system: string): void;
  /** Exposes the state of this system's breaker from now on. */
  watch(system: string, state: () => BreakerState['kind']): void;
}

const breakerValues = { closed: 0, 'half-open': 1, open: 2 } satisfies Record<BreakerState['kind'], number>;

export function createOutsideMetrics(metrics: Metrics): OutsideMetrics {
  const watched = new Map<string, () => BreakerState['kind']>();
  const calls = metrics.counter(metric('rubrica_outside_calls_total'));
  const durations = metrics.histogram(metric('rubrica_outside_call_duration_seconds'));
  const retries = metrics.counter(metric('rubrica_outside_retries_total'));
  metrics.gauge({
    ...metric('rubrica_outside_breaker_state'),
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
