import { type Metrics, metric } from '@rubrica/process/metrics';

export interface FileCheckMetrics {
  checked(file: { verdict: string; durationMs: number }): void;
  died(reason: string): void;
  setAvailable(isAvailable: boolean): void;
  setIsolated(isIsolated: boolean): void;
}

export function createFileCheckMetrics(metrics: Metrics): FileCheckMetrics {
  const checks = metrics.counter(metric('rubrica_file_checks_total'));
  const durations = metrics.histogram(metric('rubrica_file_check_duration_seconds'));
  const deaths = metrics.counter(metric('rubrica_file_checker_deaths_total'));
  const available = metrics.gauge(metric('rubrica_file_checker_available'));
  const isolated = metrics.gauge(metric('rubrica_file_checker_isolated'));
  return {
    checked({ verdict, durationMs }) {
      checks.inc({ verdict });
      durations.observe({ verdict }, durationMs / 1_000);
    },
    setAvailable: (isAvailable) => available.set(isAvailable ? 1 : 0),
    setIsolated: (isIsolated) => isolated.set(isIsolated ? 1 : 0),
    died: (reason) => deaths.inc({ reason }),
  };
}
