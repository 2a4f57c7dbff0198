import { describe, expect, it } from 'vitest';
import { createFloodLimit } from './flood-limit.ts';

describe('the limit of messages that bring no call', () => {
  it('is exceeded within a tenth of a second, and not by as many over a longer time', () => {
    let now = 0;
    const limit = createFloodLimit(() => now);
    const send = (count: number) => Array.from({ length: count }, () => limit.isExceededBy(0)).includes(true);
    for (; now < 1_000; now += 100) expect(send(1_000)).toBe(false);
    expect(send(1_999)).toBe(false);
    expect(send(2)).toBe(true);
    now += 100;
    expect(send(1)).toBe(false);
  });

  it('counts large messages by their size', () => {
    const limit = createFloodLimit(() => 0);
    const results = Array.from({ length: 32 }, () => limit.isExceededBy(1_048_576));
    expect(results.indexOf(true)).toBe(30);
  });
});
