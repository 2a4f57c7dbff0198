import { describe, expect, it } from 'vitest';
import type { LogFields } from '../log/log-fields.ts';
import { createRunner, RunnerStoppingError } from './runner.ts';

function setUp(stopTimeoutMs = 5_000, drainDelayMs = 0) {
  const lines: (LogFields & { message: string })[] = [];
  const write = (fields: LogFields, message: string): void => void lines.push({ ...fields, message });
  return {
    runner: createRunner({ logger: { info: write, error: write }, stopTimeoutMs, drainDelayMs }),
    lines,
  };
}

describe('createRunner', () => {
  it('turns not ready first, then cleans up in reverse order, each after the one before it has ended', async () => {
    const { runner } = setUp();
    const events: string[] = [];
    for (const name of ['database', 'bus', 'http']) {
      runner.own(name, async () => {
        events.push(`${name} begins, ready: ${runner.isReady()}`);
        await Promise.resolve();
        events.push(`${name} ended`);
      });
    }
    runner.markReady();
    expect(runner.isReady()).toBe(true);
    const report = await runner.stop('SIGTERM');
    expect(events).toEqual([
      'http begins, ready: false',
      'http ended',
      'bus begins, ready: false',
      'bus ended',
      'database begins, ready: false',
      'database ended',
    ]);
    expect(report.faults).toEqual([]);
  });

  it('cuts a cleanup that hangs at the deadline, names it, and tells it so by its signal', async () => {
    const { runner, lines } = setUp(30);
    let signalled = false;
    runner.own('database', () => undefined);
    runner.own('relay', (signal) => {
      signal.addEventListener('abort', () => {
        signalled = true;
      });
      return new Promise(() => undefined);
    });
    const { faults } = await runner.stop('test');
    expect(faults).toEqual([
      { cleanup: 'relay', outcome: 'hung' },
      { cleanup: 'database', outcome: 'skipped' },
    ]);
    expect(signalled).toBe(true);
    expect(lines).toContainEqual(expect.objectContaining({ cleanup: 'relay', message: 'cleanup timed out' }));
  });

  it('goes on after a cleanup with a limit of its own hangs', async () => {
    const { runner } = setUp();
    let closed = false;
    runner.own('database', () => {
      closed = true;
    });
    runner.own('tracing', () => new Promise(() => undefined), { timeoutMs: 20 });
    expect((await runner.stop('test')).faults).toEqual([{ cleanup: 'tracing', outcome: 'hung' }]);
    expect(closed).toBe(true);
  });

  it('goes on after a cleanup fails, and reports it', async () => {
    const { runner, lines } = setUp();
    let closed = false;
    runner.own('database', () => {
      closed = true;
    });
    runner.own('bus', () => {
      throw new Error('not connected');
    });
    expect((await runner.stop('test')).faults).toEqual([{ cleanup: 'bus', outcome: 'failed' }]);
    expect(closed).toBe(true);
    expect(lines.some(({ cleanup, err }) => cleanup === 'bus' && err instanceof Error)).toBe(true);
  });

  it('turns not ready and goes on working, before it stops what was ready', async () => {
    const drainDelayMs = 100;
    const { runner, lines } = setUp(5_000, drainDelayMs);
    runner.own('http', () => undefined);
    runner.markReady();
    const startedAt = performance.now();
    const stopped = runner.stop('SIGTERM');
    expect([runner.isReady(), runner.draining.aborted, runner.stopping.aborted]).toEqual([
      false,
      true,
      false,
    ]);
    let isOwned = false;
    runner.own('late', () => {
      isOwned = true;
    });
    expect((await stopped).faults).toEqual([]);
    expect(isOwned).toBe(true);
    // A timer may fire a moment early.
    expect(performance.now() - startedAt).toBeGreaterThan(drainDelayMs - 5);
    expect(lines.map(({ message }) => message)).toEqual(['drain started', 'stopping', 'stopped']);
  });

  it('stops at once where it is asked again while it waits, or was never ready', async () => {
    const waiting = setUp(5_000, 3_600_000).runner;
    waiting.markReady();
    const first = waiting.stop('SIGTERM');
    expect(waiting.stop('SIGTERM')).toBe(first);
    expect((await first).faults).toEqual([]);
    const starting = setUp(5_000, 3_600_000).runner;
    expect((await starting.stop('SIGTERM')).faults).toEqual([]);
  });

  it('stops once, however often it is asked', async () => {
    const { runner } = setUp();
    let count = 0;
    runner.own('bus', () => {
      count += 1;
    });
    expect(await runner.stop('SIGINT')).toBe(await runner.stop('SIGTERM'));
    expect(count).toBe(1);
  });

  it('stops at once what is created while it stops, and ends the creation', async () => {
    const { runner } = setUp();
    const stopped = Promise.withResolvers<string>();
    await runner.stop('test');
    expect(() => runner.own('late', () => stopped.resolve('late'))).toThrow(RunnerStoppingError);
    expect(await stopped.promise).toBe('late');
  });

  it('fires its signal as the stop begins', async () => {
    const { runner } = setUp();
    runner.own('loop', () => expect(runner.stopping.aborted).toBe(true));
    expect(runner.stopping.aborted).toBe(false);
    expect((await runner.stop('test')).faults).toEqual([]);
  });

  it('is not ready again once it has begun to stop', async () => {
    const { runner } = setUp();
    await runner.stop('test');
    runner.markReady();
    expect(runner.isReady()).toBe(false);
  });
});
