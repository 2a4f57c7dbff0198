import { describe, expect, it } from 'vitest';
import { countEntries, percentileMs } from './histogram.ts';

/** As SQL counts it. */
function histogramOf(times: readonly number[]) {
  const counts: Record<string, number> = {};
  for (const ms of times) {
    const bucket = Math.floor(Math.log(Math.max(ms, 1)) / Math.log(1.05));
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  return counts;
}

describe('times that were counted', () => {
  const times = Array.from({ length: 1_000 }, (_, index) => (index + 1) * 37);

  it.each([0.5, 0.95, 0.99])('give their percentile %d within 3 %, over any number of days', (share) => {
    const exact = times[Math.ceil(times.length * share) - 1] as number;
    const days = [times.slice(0, 400), times.slice(400)].map(histogramOf);
    const found = percentileMs(days, share) ?? 0;
    expect(Math.abs(found - exact) / exact).toBeLessThan(0.03);
    expect(countEntries(days)).toBe(1_000);
  });

  it('give none where there are none', () => {
    expect(percentileMs([{}, {}], 0.5)).toBeNull();
    expect(percentileMs([], 0.5)).toBeNull();
  });
});
