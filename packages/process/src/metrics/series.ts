/** Values of a metric's labels; all of them must be given. */
export type Labels<Label extends string> = Readonly<Record<Label, string | number>>;
/** Without labels there is nothing to give. */
export type LabelArguments<Label extends string> = [Label] extends [never] ? [] : [labels: Labels<Label>];

export type MetricOptions<Label extends string, Type extends string> = {
  name: string;
  /** Where the table says it: a counter is not made as a gauge. */
  type?: Type;
  help: string;
  labels?: readonly Label[];
};

export type Counter<Label extends string = never> = {
  inc(...labels: LabelArguments<Label>): void;
};
export type Gauge<Label extends string = never> = {
  set(...args: [...labels: LabelArguments<Label>, value: number]): void;
  /** Forgets all values: for what nobody knows any more. */
  clear(): void;
};
export type Histogram<Label extends string = never> = {
  observe(...args: [...labels: LabelArguments<Label>, value: number]): void;
};

/** One line of the exposition: what stands behind the metric's name, its labels as text, its value. */
export type Sample = { suffix: string; labels: string; value: number; exemplar?: string | undefined };

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' };

function escapeLabel(value: string): string {
  return value.replace(/[\\"\n]/g, (character) => escapes[character] ?? '');
}

/** `a="1",b="2"`, in the order in which the metric names its labels. */
function labelText(names: readonly string[], values: Readonly<Record<string, string>>): string {
  return names.map((name) => `${name}="${escapeLabel(String(values[name]))}"`).join(',');
}

/** Labels are the last but one argument, where there are any. */
export function splitArguments(args: readonly unknown[]): { labels: Record<string, string>; value: number } {
  const value = args.at(-1) as number;
  return { labels: (args.length > 1 ? args[0] : {}) as Record<string, string>, value };
}

/** Numbers by labels. A metric without labels is there from the start, at 0: absence would read as "unknown". */
export function createValues(names: readonly string[]) {
  const values = new Map<string, number>(names.length === 0 ? [['', 0]] : []);
  return {
    add: (labels: Record<string, string>, amount: number) => {
      const key = labelText(names, labels);
      values.set(key, (values.get(key) ?? 0) + amount);
    },
    set: (labels: Record<string, string>, value: number) => void values.set(labelText(names, labels), value),
    clear: () => values.clear(),
    samples: (): Sample[] => [...values].map(([labels, value]) => ({ suffix: '', labels, value })),
  };
}

type Distribution = { counts: number[]; sum: number; count: number; exemplars: (string | undefined)[] };

/** Observations in cumulative buckets, `le` being each bucket's upper bound. */
export function createDistributions(names: readonly string[], buckets: readonly number[]) {
  const distributions = new Map<string, Distribution>();
  const find = (key: string): Distribution => {
    const known = distributions.get(key);
    if (known) return known;
    const fresh = { counts: buckets.map(() => 0), sum: 0, count: 0, exemplars: [] };
    distributions.set(key, fresh);
    return fresh;
  };
  if (names.length === 0) find('');
  return {
    observe(labels: Record<string, string>, value: number, traceId?: string) {
      const one = find(labelText(names, labels));
      const bucket = buckets.findIndex((bound) => value <= bound);
      if (bucket !== -1) one.counts[bucket] = (one.counts[bucket] ?? 0) + 1;
      one.sum += value;
      one.count += 1;
      if (traceId === undefined) return;
      // Text at once: it is kept for one observation of a bucket at a time.
      const at = bucket === -1 ? buckets.length : bucket;
      one.exemplars[at] = `{trace_id="${traceId}"} ${value} ${(Date.now() / 1_000).toFixed(3)}`;
    },
    samples: (): Sample[] => [...distributions].flatMap(([labels, one]) => toSamples(labels, one, buckets)),
  };
}

function toSamples(labels: string, one: Distribution, buckets: readonly number[]): Sample[] {
  const before = labels === '' ? '' : `${labels},`;
  let total = 0;
  const cumulative = buckets.map((bound, index) => {
    total += one.counts[index] ?? 0;
    return {
      suffix: '_bucket',
      labels: `${before}le="${bound}"`,
      value: total,
      exemplar: one.exemplars[index],
    };
  });
  return [
    ...cumulative,
    {
      suffix: '_bucket',
      labels: `${before}le="+Inf"`,
      value: one.count,
      exemplar: one.exemplars[buckets.length],
    },
    { suffix: '_sum', labels, value: one.sum },
    { suffix: '_count', labels, value: one.count },
  ];
}
