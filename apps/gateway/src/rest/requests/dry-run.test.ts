import { expect, it } from 'vitest';
import { findIgnored } from './dry-run.ts';

function bodyWith(unknown: number) {
  const names = Array.from({ length: unknown }, (_, index) =>
    `applicantSecondLastName${index}`.padEnd(58, 'x'),
  );
  return {
    operation: 'registerLinkedPartner',
    fields: Object.fromEntries(names.map((name) => [name, '1'])),
  } as const;
}

/** Least CPU time of some runs, µs. */
function cpuOf(work: () => unknown): number {
  const times = Array.from({ length: 7 }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return user + system;
  });
  return Math.max(1, Math.min(...times));
}

it('names the nearest field of a misspelt one, and no more than fifty', () => {
  const { fields } = bodyWith(4_000);
  const warnings = findIgnored({ operation: 'registerLinkedPartner', fields: { citi: 'x', ...fields } });
  expect(warnings).toHaveLength(50);
  expect(warnings[0]?.message).toContain('city');
});

it('a body of unknown fields takes no more time than one with as many as are named', () => {
  const few = bodyWith(50);
  const many = bodyWith(4_000);
  expect(cpuOf(() => findIgnored(many)) / cpuOf(() => findIgnored(few))).toBeLessThan(15);
});
