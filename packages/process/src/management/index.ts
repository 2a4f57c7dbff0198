export { createHealth, type Health, type ReadinessCheck } from './health.ts';
export type { ManagementServer } from './management-server.ts';
