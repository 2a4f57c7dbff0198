import { commonMetrics } from './common.ts';
import { gatewayMetrics } from './gateway.ts';
import { generationMetrics } from './generation.ts';
import { intakeMetrics } from './intake.ts';
import { notifierMetrics } from './notifier.ts';

/** Every metric that our programs expose. Dashboards and alerts query these names and labels. */
export const metricRows = {
  ...commonMetrics,
  ...gatewayMetrics,
  ...intakeMetrics,
  ...generationMetrics,
  ...notifierMetrics,
} as const;

export type MetricName = keyof typeof metricRows;
