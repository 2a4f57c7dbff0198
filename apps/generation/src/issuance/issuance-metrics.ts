import { type Metrics, metric } from '@rubrica/process/metrics';
import type { RunOutcome } from './run-issuance.ts';

const durationBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export function createIssuanceMetrics(
  metrics: Pick<Metrics, 'counter' | 'histogram'>,
): (outcome: RunOutcome, seconds: number) => void {
  const issued = metrics.counter(metric('rubrica_certificates_issued_total'));
  const runs = metrics.histogram({
    ...metric('rubrica_issuance_seconds'),
    buckets: durationBuckets,
    exemplars: true,
  });
  return (outcome, seconds) => {
    const result = outcome.kind === 'done' ? outcome.result : outcome.reason;
    if (result === 'issued') issued.inc();
    runs.observe({ outcome: result }, seconds);
  };
}
