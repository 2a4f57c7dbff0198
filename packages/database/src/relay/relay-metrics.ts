import type { Metrics } from '@rubrica/process';
import type { RelayMetrics } from './relay-options.ts';

/** The relay's figures for Prometheus. */
export function createRelayMetrics(metrics: Metrics): RelayMetrics {
  const isActive = metrics.gauge({
    name: 'rubrica_outbox_relay_active',
    help: '1 while this copy publishes the outbox of its schema',
  });
  const published = metrics.counter({
    name: 'rubrica_outbox_published_total',
    help: 'Messages acknowledged by JetStream; duplicates are those it had already',
    labels: ['subject', 'duplicate'],
  });
  const failures = metrics.counter({
    name: 'rubrica_outbox_publish_failures_total',
    help: 'Publishes refused or left without an answer; each is tried again',
    labels: ['subject'],
  });
  const delay = metrics.histogram({
    name: 'rubrica_outbox_read_delay_seconds',
    help: 'From the insert of an outbox row until the relay that published it had it, from memory or by a read',
  });
  const unpublished = metrics.gauge({
    name: 'rubrica_outbox_unpublished_rows',
    help: 'Rows waiting to be published, counted up to 10,000; from the active relay',
  });
  const oldest = metrics.gauge({
    name: 'rubrica_outbox_oldest_unpublished_seconds',
    help: 'Age of the oldest row waiting to be published; from the active relay',
  });
  return {
    active(active) {
      isActive.set(active ? 1 : 0);
      // Figures of a copy that no longer publishes would stand still and look like a backlog.
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
