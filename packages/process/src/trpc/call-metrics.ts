import { metric } from '../metrics/metric-row.ts';
import type { Metrics } from '../metrics/metrics.ts';

export type CallMetrics = {
  /** @param code `OK` or the catalogue's code */
  observe(procedure: string, code: string, durationSeconds: number): void;
};

/**
 * Creates metrics for rate, outcome and duration of each procedure. Only existing procedures reach them, so labels are
 * bounded.
 */
export function createCallMetrics(metrics: Pick<Metrics, 'histogram'>): CallMetrics {
  const histogram = metrics.histogram(metric('rubrica_rpc_duration_seconds'));
  return {
    observe: (procedure, code, durationSeconds) => histogram.observe({ procedure, code }, durationSeconds),
  };
}
