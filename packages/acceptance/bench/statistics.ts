/** Returns the value below which `share` (0 to 1) of the samples lie, by the nearest rank: always a measured value. */
export function percentile(samples: readonly number[], share: number): number {
  if (samples.length === 0) throw new RangeError('no samples');
  const sorted = [...samples].sort((a, b) => a - b);
  const rank = Math.max(1, Math.ceil(share * sorted.length));
  return sorted[rank - 1] as number;
}

export function median(samples: readonly number[]): number {
  return percentile(samples, 0.5);
}

export function mean(samples: readonly number[]): number {
  if (samples.length === 0) throw new RangeError('no samples');
  return samples.reduce((sum, value) => sum + value, 0) / samples.length;
}
