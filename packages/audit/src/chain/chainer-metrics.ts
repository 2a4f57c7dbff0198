import { type Metrics, metric } from '@rubrica/process/metrics';
import type { ChainerMetrics } from './chainer-options.ts';

/** Creates the chainer's metrics for Prometheus. */
export function createChainerMetrics(metrics: Metrics): ChainerMetrics {
  const isActive = metrics.gauge(metric('rubrica_audit_chainer_active'));
  const end = metrics.gauge(metric('rubrica_audit_chain_sequence'));
  const checkpoint = metrics.gauge(metric('rubrica_audit_checkpoint_sequence'));
  const isBroken = metrics.gauge(metric('rubrica_audit_chain_broken'));
  return {
    active: (active) => isActive.set(active ? 1 : 0),
    placed: ({ sequence }) => end.set(sequence),
    checkpoint: ({ sequence }) => checkpoint.set(sequence),
    broken: (broken) => isBroken.set(broken ? 1 : 0),
  };
}
