import { describe, expect, it } from 'vitest';
import { selectIterations } from './pkcs12-iterations.ts';

const iterations = { service: 2_048, partner: 10_000, applicant: 100_000 };

describe('the rounds of a PKCS#12 file', () => {
  it.each([
    ['made here', null, 'SERVICE', 2_048],
    ["a partner's", 'sealed', 'PARTNER', 10_000],
    ["an applicant's", 'sealed', 'HOLDER', 100_000],
    ['of another, though the order says that it is ours', 'sealed', 'SERVICE', 10_000],
  ] as const)('whose password is %s', (_, sealedPassword, passwordOrigin, rounds) => {
    expect(selectIterations({ sealedPassword, passwordOrigin }, iterations)).toBe(rounds);
  });
});
