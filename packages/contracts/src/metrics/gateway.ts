import type { MetricRows } from './metric-row.ts';

export const gatewayMetrics = {
  rubrica_http_duration_seconds: {
    type: 'histogram',
    unit: 'seconds',
    labels: ['door', 'route', 'method', 'status'],
    help: 'Time from the headers of a request to the end of its answer, by route and status',
    services: ['gateway'],
  },
  rubrica_batch_lines_total: {
    type: 'counter',
    unit: 'lines',
    labels: ['status'],
    help: 'Lines of batches by the status that each was answered, which the status of the batch does not tell',
    services: ['gateway'],
  },
} as const satisfies MetricRows;
