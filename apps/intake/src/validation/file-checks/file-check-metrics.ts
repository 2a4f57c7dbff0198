import type { Metrics } from '@rubrica/process';

export interface FileCheckMetrics {
  checked(file: { verdict: string; durationMs: number }): void;
  died(reason: string): void;
}

export function createFileCheckMetrics(metrics: Metrics): FileCheckMetrics {
  const checks = metrics.counter({
    name: 'rubrica_file_checks_total',
    help: 'Files that were checked, by what was found',
    labels: ['verdict'],
  });
  const durations = metrics.histogram({
    name: 'rubrica_file_check_duration_seconds',
    help: 'Time of one check of a file, without reading it and without waiting for a process',
    labels: ['verdict'],
  });
  const deaths = metrics.counter({
    name: 'rubrica_file_checker_deaths_total',
    help: 'Processes that died over a file, by reason',
    labels: ['reason'],
  });
  return {
    checked({ verdict, durationMs }) {
      checks.inc({ verdict });
      durations.observe({ verdict }, durationMs / 1_000);
    },
    died: (reason) => deaths.inc({ reason }),
  };
}
