import { type Metrics, metric } from '@rubrica/process/metrics';
import type { RelayMetrics } from './relay-options.ts';

/** Creates the relay's metrics for Prometheus. */
export function createRelayMetrics(metrics: Metrics): RelayMetrics {
  const isActive = metrics.gauge(metric('rubrica_outbox_relay_active'));
  const published = metrics.counter(metric('rubrica_outbox_published_total'));
  const failures = metrics.counter(metric('rubrica_outbox_publish_failures_total'));
  const delay = metrics.histogram(metric('rubrica_outbox_read_delay_seconds'));
  const unpublished = metrics.gauge(metric('rubrica_outbox_unpublished_rows'));
  const oldest = metrics.gauge(metric('rubrica_outbox_oldest_unpublished_seconds'));
  return {
    active(active) {
      isActive.set(active ? 1 : 0);
      // Figures of a copy that no longer publishes would remain and look like a backlog.
      if (!active) for (const gauge of [unpublished, oldest]) gauge.set(0);
    },
    published({ subject, duplicate, ageSeconds }) {
      published.inc({ subject, duplicate: String(duplicate) });
      delay.observe(ageSeconds);
    },
    failed: ({ subject }) => failures.inc({ subject }),
    backlog({ rows, oldestSeconds }) {
      unpublished.set(rows);
      oldest.set(oldestSeconds);
    },
  };
}
