import type { MetricRows } from './metric-row.ts';

export const generationMetrics = {
  rubrica_key_pool_ready: {
    type: 'gauge',
    unit: 'keys',
    labels: ['algorithm'],
    help: 'Keys made ahead and not yet used',
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
    help: 'Keys handed out, from the pool or made on demand',
    services: ['generation'],
  },
  rubrica_key_generation_seconds: {
    type: 'histogram',
    unit: 'seconds',
    labels: ['algorithm'],
    help: 'Time to make one key',
    services: ['generation'],
  },
  rubrica_revocation_list_remaining_seconds: {
    type: 'gauge',
    unit: 'seconds',
    labels: [],
    help: 'Time until the first of the revocation lists ends; below 0 it has ended',
    services: ['generation'],
  },
  rubrica_revocation_lists_refused_total: {
    type: 'counter',
    unit: 'lists',
    labels: ['list'],
    help: 'Revocation lists that were not signed, as they would have lost an entry of the list before that nothing explains',
    services: ['generation'],
  },
  rubrica_certificates_issued_total: {
    type: 'counter',
    unit: 'certificates',
    labels: [],
    help: 'Certificates that were signed and stored',
    services: ['generation'],
  },
  rubrica_issuance_seconds: {
    type: 'histogram',
    unit: 'seconds',
    labels: ['outcome'],
    help: 'Time of one run of a certificate job, by how it ended',
    services: ['generation'],
  },
} as const satisfies MetricRows;
