import { type Metrics, metric } from '@rubrica/process';

export interface FileCheckMetrics {
  checked(file: { verdict: string; durationMs: number }): void;
  died(reason: string): void;
}

export function createFileCheckMetrics(metrics: Metrics): FileCheckMetrics {
  const checks = metrics.counter(metric('rubrica_file_checks_total'));
  const durations = metrics.histogram(metric('rubrica_file_check_duration_seconds'));
  const deaths = metrics.counter(metric('rubrica_file_checker_deaths_total'));
  return {
    checked({ verdict, durationMs }) {
      checks.inc({ verdict });
      durations.observe({ verdict }, durationMs / 1_000);
    },
    died: (reason) => deaths.inc({ reason }),
  };
}
