import { services } from '../shared/enumerations.ts';

export { services };

export interface MetricRow {
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** Counted unit; `state` if the number encodes a state that `help` explains. */
  readonly unit: string;
  readonly labels: readonly string[];
  readonly help: string;
  /** Programs that expose the metric. */
  readonly services: readonly string[];
  /** Deployments that do not have the metric: a sandbox answers instead of the registries. */
  readonly unless?: 'sandbox';
}

export type MetricRows = Readonly<Record<string, MetricRow>>;

export const allPrograms = [...services, 'console'] as const;
export const databasePrograms = ['intake', 'generation', 'terms', 'notifier'] as const;
/** Services with their own durable consumer. */
export const consumingServices = ['intake', 'generation', 'notifier'] as const;
/** Services that publish through an outbox. */
export const publishingServices = ['intake', 'generation'] as const;
/** Services with rows that grant rights. */
export const guardingServices = ['intake', 'generation', 'terms', 'notifier'] as const;
