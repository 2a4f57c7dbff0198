import type { MetricRows } from './metric-row.ts';

export const generationMetrics = {
  rubrica_key_pool_ready: {
    type: 'gauge',
    unit: 'keys',
    labels: ['algorithm'],
    help: 'Keys in the pool',
    services: ['generation'],
  },
  rubrica_key_pool_waiting: {
    type: 'gauge',
    unit: 'certificates',
    labels: ['algorithm'],
    help: 'Certificates that wait for a key',
    services: ['generation'],
  },
  rubrica_key_pool_taken_total: {
    type: 'counter',
    unit: 'keys',
    labels: ['source', 'algorithm'],
    help: 'Keys used, from the pool or made on demand',
    services: ['generation'],
  },
  rubrica_key_generation_seconds: {
    type: 'histogram',
    unit: 'seconds',
    labels: ['algorithm'],
    help: 'Time to make a key',
    services: ['generation'],
  },
  rubrica_revocation_list_remaining_seconds: {
    type: 'gauge',
    unit: 'seconds',
    labels: [],
    help: 'Time until the first revocation list expires; below 0 it has expired',
    services: ['generation'],
  },
  rubrica_revocation_lists_refused_total: {
    type: 'counter',
    unit: 'lists',
    labels: ['list'],
    help: 'Revocation lists that were not signed because they would lose an unexplained entry',
    services: ['generation'],
  },
  rubrica_certificates_issued_total: {
    type: 'counter',
    unit: 'certificates',
    labels: [],
    help: 'Certificates signed and stored',
    services: ['generation'],
  },
  rubrica_issuance_seconds: {
    type: 'histogram',
    unit: 'seconds',
    labels: ['outcome'],
    help: 'Time of one run of a certificate job',
    services: ['generation'],
  },
} as const satisfies MetricRows;
