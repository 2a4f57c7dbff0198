import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBreaker, type Permit, type Verdict } from './breaker.ts';

const policy = { failures: 3, pauseMs: 1_000 };

function setUp() {
  const clock = { nowMs: 0 };
  const breaker = createBreaker({ policy, nowMs: () => clock.nowMs });
  const begin = (): Permit => {
    const permit = breaker.admit();
    if (!permit) throw new Error('the breaker let nothing through');
    return permit;
  };
  const call = (verdict: Verdict) => breaker.settle(begin(), verdict);
  const fail = (times: number = policy.failures) => Array.from({ length: times }, () => call('failing'));
  return { breaker, clock, begin, call, fail };
}

describe('a breaker', () => {
  it('opens after so many failures in a row, and says so once', () => {
    const { breaker, fail } = setUp();
    expect(fail()).toEqual([undefined, undefined, 'open']);
    expect(breaker.admit()).toBeUndefined();
  });

  it('counts failures in a row only, and a caller that left as neither', () => {
    const { breaker, call, fail } = setUp();
    fail(2);
    call('alive');
    fail(2);
    call('unknown');
    expect(breaker.state()).toBe('closed');
    expect(fail(1)).toEqual(['open']);
  });

  it('lets one probe through after the pause, which heals it', () => {
    const { breaker, clock, begin, fail } = setUp();
    fail();
    clock.nowMs = 999;
    expect(breaker.admit()).toBeUndefined();
    clock.nowMs = 1_000;
    const probe = begin();
    expect(probe.probe).toBe(true);
    expect(breaker.admit()).toBeUndefined();
    expect(breaker.settle(probe, 'alive')).toBe('closed');
    expect(fail(2)).toEqual([undefined, undefined]);
  });

  it('pauses again when the probe fails, and not when its caller left', () => {
    const { breaker, clock, begin, fail } = setUp();
    fail();
    clock.nowMs = 1_000;
    breaker.settle(begin(), 'unknown');
    breaker.settle(begin(), 'failing');
    expect(breaker.admit()).toBeUndefined();
    clock.nowMs = 2_000;
    expect(breaker.admit()?.probe).toBe(true);
  });

  it('listens to nothing that began before it changed its mind', () => {
    const { breaker, clock, begin, fail } = setUp();
    const late = begin();
    const later = begin();
    fail();
    expect(breaker.settle(late, 'alive')).toBeUndefined();
    expect(breaker.state()).toBe('open');
    clock.nowMs = 1_000;
    const probe = begin();
    breaker.settle(later, 'failing');
    expect(breaker.state()).toBe('half-open');
    expect(breaker.settle(probe, 'alive')).toBe('closed');
  });

  const step = fc.oneof(
    { weight: 3, arbitrary: fc.constant({ kind: 'ask' as const }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('end' as const),
        which: fc.nat(),
        verdict: fc.constantFrom<Verdict>('alive', 'failing', 'failing', 'unknown'),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 1_500 }) }),
    },
  );

  it('never calls during a pause, never probes twice at once, opens for a reason and can always heal', () => {
    const seen = { open: 0, closed: 0, 'half-open': 0 };
    fc.assert(
      fc.property(fc.array(step, { minLength: 40, maxLength: 120, size: 'max' }), (steps) => {
        const { breaker, clock } = setUp();
        const held: Permit[] = [];
        /** Failures since the last answer, of calls that count. */
        let row = 0;
        let round = 0;
        let pausedUntilMs = 0;
        for (const one of steps) {
          if (one.kind === 'wait') clock.nowMs += one.ms;
          if (one.kind === 'ask') {
            const permit = breaker.admit();
            if (permit) {
              expect(clock.nowMs).toBeGreaterThanOrEqual(pausedUntilMs);
              if (permit.probe) expect(held.filter(({ probe }) => probe)).toEqual([]);
              round = permit.round;
              held.push(permit);
            } else expect(breaker.state()).not.toBe('closed');
          }
          if (one.kind === 'end' && held.length > 0) {
            const [permit] = held.splice(one.which % held.length, 1) as [Permit];
            const counts = permit.round === round && breaker.state() !== 'open';
            if (counts && one.verdict !== 'unknown') row = one.verdict === 'alive' ? 0 : row + 1;
            const changed = breaker.settle(permit, one.verdict);
            if (!counts) expect(changed).toBeUndefined();
            if (changed === 'closed') expect(permit.probe && one.verdict === 'alive').toBe(true);
            if (changed === 'open') {
              expect(permit.probe || row >= policy.failures).toBe(true);
              pausedUntilMs = one.verdict === 'failing' ? clock.nowMs + policy.pauseMs : clock.nowMs;
            }
            if (changed === 'closed') round += 1;
          }
          if (breaker.state() === 'closed') expect(row).toBeLessThan(policy.failures);
          seen[breaker.state()] += 1;
        }
        for (const permit of held) breaker.settle(permit, 'unknown');
        clock.nowMs += policy.pauseMs;
        const last = breaker.admit();
        expect(last).toBeDefined();
        if (last) breaker.settle(last, 'alive');
        expect(breaker.state()).toBe('closed');
      }),
      { numRuns: 300 },
    );
    // The steps must have led everywhere, or nothing has been shown.
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(100);
  });
});
