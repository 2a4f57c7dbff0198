/** Values of a metric's labels; all of them must be given. */
export type Labels<Label extends string> = Readonly<Record<Label, string | number>>;
/** Label argument of a metric: none where it has no labels. */
export type LabelArguments<Label extends string> = [Label] extends [never] ? [] : [labels: Labels<Label>];

export type MetricOptions<Label extends string, Type extends string> = {
  name: string;
  /** Type in the table of metrics: a counter is not created as a gauge. */
  type?: Type;
  help: string;
  labels?: readonly Label[];
};

export type Counter<Label extends string = never> = {
  inc(...labels: LabelArguments<Label>): void;
};
export type Gauge<Label extends string = never> = {
  set(...args: [...labels: LabelArguments<Label>, value: number]): void;
  /** Removes all samples: for values that are no longer known. */
  clear(): void;
};
export type Histogram<Label extends string = never> = {
  observe(...args: [...labels: LabelArguments<Label>, value: number]): void;
};

export type Format = 'prometheus' | 'openmetrics';

/** Metrics of one service, with the labels of each checked by its type. */
export type Metrics = {
  counter<Label extends string = never>(
    options: MetricOptions<Label, 'counter'> & { collect?: () => number },
  ): Counter<Label>;
  /**
   * Calls `collect` at each scrape, for values that are cheaper to read than to keep. If it fails, the gauge is
   * missing in that response: an old value would look like a new one.
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
  /** Renders all metrics, in Prometheus' text format unless `openmetrics` is requested. */
  text(format?: Format): Promise<string>;
};
