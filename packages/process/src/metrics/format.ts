import { openMetricsContentType, prometheusContentType } from 'prom-client';
import type { Format } from './metric-types.ts';

export const contentTypes: Readonly<Record<Format, string>> = {
  prometheus: prometheusContentType,
  openmetrics: openMetricsContentType,
};

/** Reads the format that a scraper requests by its `Accept`: only OpenMetrics has exemplars. */
export function parseFormat(accept: string | undefined): Format {
  return accept?.includes('application/openmetrics-text') ? 'openmetrics' : 'prometheus';
}
