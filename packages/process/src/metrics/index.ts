export { metric } from './metric-row.ts';
export { createMetrics, type Metrics } from './metrics.ts';
