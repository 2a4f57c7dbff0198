import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createIssuerEnd } from './issuer-end.ts';

const end = new Date('2036-01-01T00:00:00Z');

function scene() {
  let nowMs = 0;
  const warnings: unknown[] = [];
  const asked = { times: 0, answer: async () => end };
  const issuerEnd = createIssuerEnd({
    ask: () => {
      asked.times += 1;
      return asked.answer();
    },
    clock: () => new Date(nowMs),
    logger: { warn: (fields: unknown) => void warnings.push(fields) },
  });
  return {
    asked,
    warnings,
    async at(ms: number) {
      nowMs = ms;
      const known = issuerEnd();
      await setImmediate();
      return known;
    },
  };
}

describe('the end of the issuer', () => {
  it('is not waited for, and known from then on', async () => {
    const { at, asked } = scene();
    expect(await at(0)).toBeUndefined();
    expect(await at(1)).toEqual(end);
    expect(asked.times).toBe(1);
  });

  it('is asked again after five minutes, the old answer standing in', async () => {
    const { at, asked } = scene();
    await at(0);
    const later = new Date('2046-01-01T00:00:00Z');
    asked.answer = async () => later;
    expect(await at(300_000 - 1)).toEqual(end);
    expect(await at(300_000)).toEqual(end);
    expect(await at(300_001)).toEqual(later);
  });

  it('is asked again after five seconds where nobody answered, and what was known stays', async () => {
    const { at, asked, warnings } = scene();
    await at(0);
    asked.answer = async () => {
      throw new Error('no responders');
    };
    await at(300_000);
    expect(await at(304_999)).toEqual(end);
    expect(asked.times).toBe(2);
    await at(305_000);
    expect(asked.times).toBe(3);
    expect(warnings).toHaveLength(2);
  });
});
