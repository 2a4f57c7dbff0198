/**
 * How many times something took how long: counts by the logarithm of the milliseconds. Those of several days add up, which
 * percentiles do not, and they take the same room for ten and for a million.
 */
export type Histogram = Readonly<Record<string, number>>;

/** Each bucket is so much wider than the one before: a percentile is right to half of that. */
const growth = 1.05;

/** SQL that gives the bucket of SQL that gives milliseconds. */
export function bucketSql(ms: string): string {
  return `floor(ln(greatest(${ms}, 1)) / ln(${growth}))::integer`;
}

/** @param share such as 0.95. @returns milliseconds; null where nothing was counted */
export function percentileMs(histograms: readonly Histogram[], share: number): number | null {
  const counts = new Map<number, number>();
  for (const [bucket, count] of histograms.flatMap((one) => Object.entries(one)))
    counts.set(Number(bucket), (counts.get(Number(bucket)) ?? 0) + count);
  const ordered = [...counts].sort(([a], [b]) => a - b);
  let missing = Math.ceil(countOf(histograms) * share);
  for (const [bucket, count] of ordered) {
    missing -= count;
    if (missing <= 0) return growth ** (bucket + 0.5);
  }
  return null;
}

export function countOf(histograms: readonly Histogram[]): number {
  return histograms.flatMap((one) => Object.values(one)).reduce((sum, count) => sum + count, 0);
}
