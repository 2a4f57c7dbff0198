import { createMetrics } from '@rubrica/process/metrics';
import { expect, test } from 'vitest';
import { createRelayMetrics } from './relay-metrics.ts';

test('the relay shows whether it is active, what it published and how far it lags', async () => {
  const metrics = createMetrics({ service: 'intake' });
  const relay = createRelayMetrics(metrics);
  relay.active(true);
  relay.published({ subject: 'jobs.a', duplicate: true, ageSeconds: 0.002 });
  relay.failed({ subject: 'jobs.b' });
  relay.backlog({ rows: 12, oldestSeconds: 3.5 });
  const text = await metrics.text();
  expect(text).toContain('rubrica_outbox_relay_active{service="intake"} 1');
  expect(text).toContain(
    'rubrica_outbox_published_total{subject="jobs.a",duplicate="true",service="intake"} 1',
  );
  expect(text).toContain('rubrica_outbox_publish_failures_total{subject="jobs.b",service="intake"} 1');
  expect(text).toContain('rubrica_outbox_unpublished_rows{service="intake"} 12');
  expect(text).toContain('rubrica_outbox_oldest_unpublished_seconds{service="intake"} 3.5');
});

test('a copy that is no longer active shows no backlog', async () => {
  const metrics = createMetrics({ service: 'intake' });
  const relay = createRelayMetrics(metrics);
  relay.backlog({ rows: 12, oldestSeconds: 3.5 });
  relay.active(false);
  const text = await metrics.text();
  expect(text).toContain('rubrica_outbox_unpublished_rows{service="intake"} 0');
  expect(text).toContain('rubrica_outbox_oldest_unpublished_seconds{service="intake"} 0');
});

test('a copy that was never active says so: an alert adds up what the copies say', async () => {
  const metrics = createMetrics({ service: 'intake' });
  createRelayMetrics(metrics);
  const text = await metrics.text();
  expect(text).toContain('rubrica_outbox_relay_active{service="intake"} 0');
});
