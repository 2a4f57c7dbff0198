import { describe, expect, it, onTestFinished } from 'vitest';
import type { LogFields } from '../log/log-fields.ts';
import { createMeasuredClock } from './measured-clock.ts';

const HOUR_MS = 3_600_000;

/** A machine and a reference, each with a clock of its own, and an answer that takes as long as the test says. */
function scene({ aheadMs = 0, tookMs = 0 }: { aheadMs?: number; tookMs?: number } = {}) {
  const state = { trueMs: 1_800_000_000_000, runMs: 0, aheadMs, tookMs, down: false };
  const said: { level: string; reason: unknown; message: string }[] = [];
  const log = (level: string) => (fields: LogFields, message: string) =>
    void said.push({ level, reason: fields.reason, message });
  const clock = createMeasuredClock({
    logger: { error: log('error'), info: log('info'), debug: () => undefined },
    systemMs: () => state.trueMs + state.aheadMs,
    monotonicMs: () => state.runMs,
  });
  const pass = (ms: number) => {
    state.trueMs += ms;
    state.runMs += ms;
  };
  /** One measurement: the reference is read in the middle of the way there and back. */
  const measure = async () => {
    const answered = Promise.withResolvers<void>();
    const stop = clock.follow({
      name: 'PostgreSQL',
      async read() {
        if (state.down) throw new Error('away');
        pass(state.tookMs / 2);
        const ms = state.trueMs;
        pass(state.tookMs / 2);
        setImmediate(answered.resolve);
        return ms;
      },
    });
    onTestFinished(stop);
    await answered.promise;
    stop();
  };
  return { clock, state, said, measure };
}

describe('the clock that tokens are judged by and rows are dated by', () => {
  it('judges nothing before it was measured, and is not ready', () => {
    const { clock } = scene();
    expect(() => clock.now()).toThrow(expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' }));
    expect(() => clock.check()).toThrow('not measured yet');
    expect(clock.isRight()).toBe(false);
  });

  it("is this machine's own for services until it was measured, then the reference's", async () => {
    const { clock, state, measure } = scene({ aheadMs: 20_000 });
    expect(clock.bestKnown()).toEqual(new Date(state.trueMs + 20_000));
    await measure();
    expect(clock.bestKnown()).toEqual(new Date(state.trueMs));
  });

  it.each([10_000, -10_000, 30_000, -30_000])(
    'has the time of the reference where the machine is off by %i ms',
    async (aheadMs) => {
      const { clock, state, measure } = scene({ aheadMs, tookMs: 40 });
      await measure();
      expect(clock.nowMs()).toBe(state.trueMs);
      expect(clock.now()).toEqual(new Date(state.trueMs));
    },
  );

  it.each([31_000, -31_000, HOUR_MS, -HOUR_MS])(
    'judges nothing while the two are %i ms apart, as either may be the wrong one',
    async (aheadMs) => {
      const { clock, state, measure } = scene();
      await measure();
      expect(clock.nowMs()).toBe(state.trueMs);
      state.aheadMs = aheadMs;
      await measure();
      expect(() => clock.nowMs()).toThrow(expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' }));
      expect(clock.bestKnown()).toEqual(new Date(state.trueMs));
      state.aheadMs = 5_000;
      await measure();
      expect(clock.nowMs()).toBe(state.trueMs);
    },
  );

  it("stays this machine's own where the measurement does not say that it is off", async () => {
    const { clock, state, measure } = scene({ aheadMs: 19, tookMs: 40 });
    await measure();
    expect(clock.nowMs()).toBe(state.trueMs + 19);
    expect(clock.bestKnown()).toEqual(new Date(state.trueMs + 19));
  });

  it.each([
    [30_000, true],
    [-30_000, true],
    [31_000, false],
    [-31_000, false],
  ])('with a difference of %i ms ready is %s', async (aheadMs, ready) => {
    const { clock, measure } = scene({ aheadMs });
    await measure();
    expect(clock.isRight()).toBe(ready);
  });

  it('says by how much it is wrong, once, and when it is right again', async () => {
    const { clock, state, said, measure } = scene({ aheadMs: HOUR_MS });
    await measure();
    await measure();
    expect(() => clock.check()).toThrow('3600 s ahead of PostgreSQL');
    state.aheadMs = -1_000;
    await measure();
    expect(clock.check).not.toThrow();
    expect(said).toEqual([
      { level: 'error', reason: '3600 s ahead of PostgreSQL', message: 'clock deviation detected' },
      {
        level: 'info',
        reason: '1 s behind PostgreSQL',
        message: 'clock deviation ended',
      },
    ]);
  });

  it('keeps what it knows when an answer is slow, unless that says more than its own uncertainty', async () => {
    const { clock, state, measure } = scene({ aheadMs: 5_000, tookMs: 10 });
    await measure();
    Object.assign(state, { tookMs: 3_000, aheadMs: 6_000 });
    await measure();
    expect(clock.nowMs()).toBe(state.trueMs + 1_000);
    state.aheadMs = 20_000;
    await measure();
    expect(clock.nowMs()).toBe(state.trueMs);
  });
});
