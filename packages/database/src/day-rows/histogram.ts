/**
 * Counts of durations, by the logarithm of the milliseconds. Histograms of several days add up, which percentiles do
 * not, and their size does not depend on the number of values.
 */
export type Histogram = Readonly<Record<string, number>>;

/** Ratio of the widths of consecutive buckets: a percentile is accurate to half of it. */
const growth = 1.05;

/** Builds SQL for the bucket of an SQL expression in milliseconds. */
export function bucketSql(ms: string): string {
  return `floor(ln(greatest(${ms}, 1)) / ln(${growth}))::integer`;
}

/**
 * Calculates a percentile.
 * @param share for example 0.95
 * @returns milliseconds; null if nothing was counted
 */
export function percentileMs(histograms: readonly Histogram[], share: number): number | null {
  const counts = new Map<number, number>();
  for (const [bucket, count] of histograms.flatMap((histogram) => Object.entries(histogram)))
    counts.set(Number(bucket), (counts.get(Number(bucket)) ?? 0) + count);
  const ordered = [...counts].sort(([a], [b]) => a - b);
  let missing = Math.ceil(countEntries(histograms) * share);
  for (const [bucket, count] of ordered) {
    missing -= count;
    if (missing <= 0) return growth ** (bucket + 0.5);
  }
  return null;
}

export function countEntries(histograms: readonly Histogram[]): number {
  return histograms.flatMap((histogram) => Object.values(histogram)).reduce((sum, count) => sum + count, 0);
}
