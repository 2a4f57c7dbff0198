import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { withContext } from '../context/ambient-context.ts';
import { createMetrics } from './metrics.ts';

const linesOf = async (metrics: ReturnType<typeof createMetrics>, name: string) =>
  (await metrics.text()).split('\n').filter((line) => line.includes(name));

describe('metrics', () => {
  it('are exposed with their help, type, labels and the service they belong to', async () => {
    const metrics = createMetrics({ service: 'probe' });
    const calls = metrics.counter({ name: 'calls_total', help: 'Calls', labels: ['path', 'code'] });
    calls.inc({ path: '/a', code: 'OK' });
    calls.inc({ path: '/a', code: 'OK' });
    calls.inc({ code: 'FORBIDDEN', path: '/b' });
    expect(await linesOf(metrics, 'calls_total')).toEqual([
      '# HELP calls_total Calls',
      '# TYPE calls_total counter',
      'calls_total{path="/a",code="OK",service="probe"} 2',
      'calls_total{code="FORBIDDEN",path="/b",service="probe"} 1',
    ]);
  });

  it('cannot be broken out of by what a label holds', async () => {
    const metrics = createMetrics({ service: 'probe' });
    metrics.counter({ name: 'odd_total', help: 'Odd', labels: ['label'] }).inc({ label: 'a"} 1\nfake 2\\' });
    expect((await linesOf(metrics, 'odd_total')).at(-1)).toBe(
      'odd_total{label="a\\"} 1\\nfake 2\\\\",service="probe"} 1',
    );
  });

  it('without labels stand at 0 until something happens', async () => {
    const metrics = createMetrics({ service: 'probe' });
    metrics.counter({ name: 'quiet_total', help: 'Quiet' });
    expect((await linesOf(metrics, 'quiet_total')).at(-1)).toBe('quiet_total{service="probe"} 0');
  });

  it('count each observation in every bucket that holds it', async () => {
    const metrics = createMetrics({ service: 'probe' });
    const seconds = metrics.histogram({
      name: 'waited_seconds',
      help: 'Seconds',
      labels: ['of'],
      buckets: [0.1, 1],
    });
    for (const value of [0.1, 0.5, 3]) seconds.observe({ of: 'x' }, value);
    expect(await linesOf(metrics, 'waited_seconds_')).toEqual([
      'waited_seconds_bucket{le="0.1",service="probe",of="x"} 1',
      'waited_seconds_bucket{le="1",service="probe",of="x"} 2',
      'waited_seconds_bucket{le="+Inf",service="probe",of="x"} 3',
      'waited_seconds_sum{service="probe",of="x"} 3.6',
      'waited_seconds_count{service="probe",of="x"} 3',
    ]);
  });

  it('that are collected are asked at each scrape', async () => {
    const metrics = createMetrics({ service: 'probe' });
    let value = 1;
    metrics.gauge({ name: 'now', help: 'Now', collect: (gauge) => gauge.set(value++) });
    expect((await linesOf(metrics, 'now{')).at(-1)).toBe('now{service="probe"} 1');
    expect((await linesOf(metrics, 'now{')).at(-1)).toBe('now{service="probe"} 2');
  });

  it('of one name cannot be made twice', () => {
    const metrics = createMetrics({ service: 'probe' });
    metrics.counter({ name: 'once_total', help: 'Once' });
    expect(() => metrics.gauge({ name: 'once_total', help: 'Twice' })).toThrow('once_total');
  });

  it('leave out what could not be read, and nothing else', async () => {
    const metrics = createMetrics({ service: 'probe' });
    let isAway = false;
    const collect = (gauge: { set(value: number): void }) => {
      if (isAway) throw new Error('away');
      gauge.set(3);
    };
    metrics.gauge({ name: 'rubrica_there', help: 'There', collect });
    expect((await linesOf(metrics, 'there{')).length).toBe(1);
    isAway = true;
    expect(await linesOf(metrics, 'there{')).toEqual([]);
    expect(await linesOf(metrics, 'process_start_time_seconds{')).toHaveLength(1);
  });

  it('lead from a slow observation to its trace, in OpenMetrics alone and only where the trace is kept', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_700_000_000_250 });
    onTestFinished(() => void vi.useRealTimers());
    const metrics = createMetrics({ service: 'probe' });
    const seconds = metrics.histogram({
      name: 'waited_seconds',
      help: 'Waited',
      buckets: [0.1, 1],
      exemplars: true,
    });
    metrics.counter({ name: 'calls_total', help: 'Calls' });
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const within = (flags: string, value: number) =>
      withContext({ requestId: 'r', traceparent: `00-${traceId}-00f067aa0ba902b7-${flags}` }, () =>
        seconds.observe(value),
      );
    within('01', 0.5);
    within('00', 0.05);
    within('01', 7);
    const text = await metrics.text('openmetrics');
    const exemplar = (value: number) => `# {trace_id="${traceId}"} ${value} 1700000000.25\n`;
    expect(text).toContain(`{le="1",service="probe"} 2 ${exemplar(0.5)}`);
    expect(text).toContain(`{le="+Inf",service="probe"} 3 ${exemplar(7)}`);
    expect(text).toContain('{le="0.1",service="probe"} 1\n');
    expect(text).toContain('# TYPE calls counter\ncalls_total{service="probe"} 0\n');
    expect(text.endsWith('# EOF\n')).toBe(true);
    expect(await metrics.text()).not.toContain('trace_id');
  });

  it('keep the names of counters in each format after scrapes in the other one', async () => {
    const metrics = createMetrics({ service: 'probe' });
    const calls = metrics.counter({ name: 'calls_total', help: 'Calls' });
    for (const count of [1, 2]) {
      calls.inc();
      expect(await metrics.text('openmetrics')).toContain(
        `# TYPE calls counter\ncalls_total{service="probe"} ${count}\n`,
      );
      expect(await metrics.text()).toContain(
        `# TYPE calls_total counter\ncalls_total{service="probe"} ${count}\n`,
      );
    }
  });
});
