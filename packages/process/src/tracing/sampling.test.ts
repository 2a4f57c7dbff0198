import { afterEach, expect, it } from 'vitest';
import { newTraceparent, parseTraceparent } from '../context/traceparent.ts';
import { isSampled, type Sampling, setSampling } from './sampling.ts';

afterEach(() => setSampling({ sampler: 'parentbased_always_on', ratio: 1 }));

function keptOf(count: number, sampling: Sampling): number {
  setSampling(sampling);
  const begun = Array.from({ length: count }, () => parseTraceparent(newTraceparent()));
  return begun.filter((trace) => trace?.sampled).length;
}

it('keeps all, none, or a share of the traces that begin here', () => {
  expect(keptOf(500, { sampler: 'parentbased_always_on', ratio: 0 })).toBe(500);
  expect(keptOf(500, { sampler: 'parentbased_always_off', ratio: 1 })).toBe(0);
  expect(keptOf(500, { sampler: 'parentbased_traceidratio', ratio: 1 })).toBe(500);
  expect(keptOf(500, { sampler: 'parentbased_traceidratio', ratio: 0 })).toBe(0);
  const tenth = keptOf(20_000, { sampler: 'parentbased_traceidratio', ratio: 0.1 });
  // Eight standard deviations to each side: one run in 10^15 is beyond.
  expect(tenth).toBeGreaterThan(1_660);
  expect(tenth).toBeLessThan(2_340);
});

it('decides by the id alone, so that two processes agree', () => {
  setSampling({ sampler: 'parentbased_traceidratio', ratio: 0.25 });
  const begin = '4bf92f3577b34da6a3c';
  const ends = ['bffffffffffff', 'c000000000000', 'fffffffffffff'];
  expect(ends.map((end) => isSampled(`${begin}${end}`))).toEqual([false, true, true]);
});
