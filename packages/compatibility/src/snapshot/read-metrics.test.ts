import { expect, it } from 'vitest';
import { metricsIn } from './read-metrics.ts';

it('the reader sees name, type and labels of each metric, wherever the labels are written', () => {
  const source = `
    const labels = ['kind', 'algorithm'] as const;
    metrics.counter({ name: 'calls_total', help: 'Calls (all of them)', labels: ['b', 'a'] });
    const level = metrics.gauge<'kind'>({
      name: 'level',
      collect: (gauge) => { gauge.set({ kind: 'x' }, 1); },
      labels,
    });
    metrics.histogram({ name: 'seconds', help: 'Time' });
  `;
  expect(metricsIn(source, 'a.ts')).toEqual([
    ['calls_total', { type: 'counter', labels: ['a', 'b'] }],
    ['level', { type: 'gauge', labels: ['algorithm', 'kind'] }],
    ['seconds', { type: 'histogram', labels: [] }],
  ]);
});

it('a name that is put together is refused, not left out', () => {
  const source = "metrics.counter({ name: prefix + '_total' });";
  expect(() => metricsIn(source, 'a.ts')).toThrow('a.ts: the name of a metric is not written as a literal');
});
