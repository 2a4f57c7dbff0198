import { createMetrics } from '@rubrica/process/metrics';
import { expect, test } from 'vitest';
import { createChainerMetrics } from './chainer-metrics.ts';

test('a copy that was never active says so: an alert adds up what the copies say', async () => {
  const metrics = createMetrics({ service: 'intake' });
  createChainerMetrics(metrics);
  expect(await metrics.text()).toContain('rubrica_audit_chainer_active{service="intake"} 0');
});
