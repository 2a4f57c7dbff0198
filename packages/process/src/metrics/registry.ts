import type { Format } from './exposition.ts';
import type { Counter, Gauge, Histogram, MetricOptions } from './series.ts';

/** Where a service puts its figures. */
export type Metrics = {
  counter<Label extends string = never>(
    options: MetricOptions<Label, 'counter'> & { collect?: () => number },
  ): Counter<Label>;
  /**
   * `collect` is asked at each scrape, for values that are cheaper to read than to keep. Where it fails the gauge is
   * left out of that answer: an old value would look like a new one.
   */
  gauge<Label extends string = never>(
    options: MetricOptions<Label, 'gauge'> & { collect?: (gauge: Gauge<Label>) => void | Promise<void> },
  ): Gauge<Label>;
  histogram<Label extends string = never>(
    options: MetricOptions<Label, 'histogram'> & {
      buckets?: readonly number[];
      /** Keeps the trace of the last observation in each bucket, for OpenMetrics. */
      exemplars?: boolean;
    },
  ): Histogram<Label>;
  /** All of it, in Prometheus' own format unless `openmetrics` is asked for. */
  text(format?: Format): Promise<string>;
};
