import { services } from '../shared/enumerations.ts';

export { services };

export interface MetricRow {
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** What it counts; `state` where the number stands for something that the help explains. */
  readonly unit: string;
  readonly labels: readonly string[];
  readonly help: string;
  /** Which programs have it. */
  readonly services: readonly string[];
  /** Where they do not have it: a sandbox answers in the place of registries. */
  readonly unless?: 'sandbox';
}

export type MetricRows = Readonly<Record<string, MetricRow>>;

export const everywhere = [...services, 'console'] as const;
export const withDatabase = ['intake', 'generation', 'terms', 'notifier'] as const;
/** Those with a durable consumer of their own. */
export const consuming = ['intake', 'generation', 'notifier'] as const;
/** Those that publish by an outbox. */
export const publishing = ['intake', 'generation'] as const;
/** Those with rows that give rights. */
export const guarding = ['intake', 'generation', 'terms', 'notifier'] as const;
