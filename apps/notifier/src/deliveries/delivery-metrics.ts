import { type Metrics, metric } from '@rubrica/process/metrics';
import type { AttemptRecord } from './delivery.store.ts';

const ageBuckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900, 3_600, 21_600, 86_400];

export interface DeliveryMetrics {
  attempted(record: AttemptRecord): void;
  /** Counts a disabled destination. */
  disabled(): void;
}

export function createDeliveryMetrics(
  metrics: Metrics,
  { inHand, resting }: { inHand: () => number; resting: () => number },
): DeliveryMetrics {
  const attempts = metrics.counter(metric('rubrica_webhook_attempts_total'));
  const durations = metrics.histogram(metric('rubrica_webhook_attempt_duration_seconds'));
  const ages = metrics.histogram({
    ...metric('rubrica_event_to_delivery_seconds'),
    buckets: ageBuckets,
    exemplars: true,
  });
  const disabled = metrics.counter(metric('rubrica_webhook_destinations_disabled_total'));
  metrics.gauge({
    ...metric('rubrica_webhook_in_hand'),
    collect: (gauge) => gauge.set(inHand()),
  });
  metrics.gauge({
    ...metric('rubrica_webhook_destinations_resting'),
    collect: (gauge) => gauge.set(resting()),
  });
  return {
    attempted({ outcome, state, durationMs, delivered }) {
      attempts.inc({ outcome, state });
      durations.observe({ outcome }, durationMs / 1_000);
      if (delivered) ages.observe({ attempt: delivered.attempt }, delivered.seconds);
    },
    disabled: () => disabled.inc(),
  };
}
