export { createPacer, type Pacer } from './pacer.ts';
export { createRelay, type Relay } from './relay.ts';
export { createRelayMetrics } from './relay-metrics.ts';
export type { OutboxMessage, Publish, RelayMetrics, RelayOptions, RelayTuning } from './relay-options.ts';
