import { describe, expect, it } from 'vitest';
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
      'calls_total{service="probe",path="/a",code="OK"} 2',
      'calls_total{service="probe",path="/b",code="FORBIDDEN"} 1',
    ]);
  });

  it('cannot be broken out of by what a label holds', async () => {
    const metrics = createMetrics({ service: 'probe' });
    metrics.counter({ name: 'odd_total', help: 'Odd', labels: ['label'] }).inc({ label: 'a"} 1\nfake 2\\' });
    expect((await linesOf(metrics, 'odd_total')).at(-1)).toBe(
      'odd_total{service="probe",label="a\\"} 1\\nfake 2\\\\"} 1',
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
      'waited_seconds_bucket{service="probe",of="x",le="0.1"} 1',
      'waited_seconds_bucket{service="probe",of="x",le="1"} 2',
      'waited_seconds_bucket{service="probe",of="x",le="+Inf"} 3',
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
    expect(text).toMatch(/le="1"} 2 # {trace_id="4bf92f3577b34da6a3ce929d0e0e4736"} 0\.5 \d+\.\d{3}\n/);
    expect(text).toMatch(/le="\+Inf"} 3 # {trace_id="4bf92f3577b34da6a3ce929d0e0e4736"} 7 /);
    expect(text).toContain('le="0.1"} 1\n');
    expect(text).toContain('# TYPE calls counter\ncalls_total{service="probe"} 0\n');
    expect(text.endsWith('# EOF\n')).toBe(true);
    expect(await metrics.text()).not.toContain('trace_id');
  });
});
