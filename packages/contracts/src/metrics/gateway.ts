import type { MetricRows } from './metric-row.ts';

export const gatewayMetrics = {
  rubrica_http_duration_seconds: {
    type: 'histogram',
    unit: 'seconds',
    labels: ['door', 'route', 'method', 'status'],
    help: 'Time from the headers of a request to the end of its answer',
    services: ['gateway'],
  },
  rubrica_batch_lines_total: {
    type: 'counter',
    unit: 'lines',
    labels: ['status'],
    help: 'Lines of batches by their own status',
    services: ['gateway'],
  },
} as const satisfies MetricRows;
