import type { Metrics } from '@rubrica/process';
import type { ChainerMetrics } from './chainer-options.ts';

/** The chainer's figures for Prometheus. */
export function createChainerMetrics(metrics: Metrics): ChainerMetrics {
  const isActive = metrics.gauge({
    name: 'rubrica_audit_chainer_active',
    help: '1 while this copy gives audit rows their places in the chain',
  });
  const end = metrics.gauge({
    name: 'rubrica_audit_chain_sequence',
    help: 'Place of the last chained audit row',
  });
  const checkpoint = metrics.gauge({
    name: 'rubrica_audit_checkpoint_sequence',
    help: 'Place that the last signed checkpoint speaks of',
  });
  const isBroken = metrics.gauge({
    name: 'rubrica_audit_chain_broken',
    help: '1 when stored audit rows are not those that were chained or signed; nothing is chained then',
  });
  return {
    active: (active) => isActive.set(active ? 1 : 0),
    placed: ({ sequence }) => end.set(sequence),
    checkpoint: ({ sequence }) => checkpoint.set(sequence),
    broken: (broken) => isBroken.set(broken ? 1 : 0),
  };
}
