import { afterAll, expect, it } from 'vitest';
import { circleFindings } from './house/circle-rules.ts';
import { dependencyFindings } from './house/dependency-rules.ts';
import { unusedExports } from './house/export-rules.ts';
import type { Finding } from './house/finding.ts';
import { functionFindings } from './house/function-rules.ts';
import { knownExceptions } from './house/known-exceptions.ts';
import { topLevelFindings } from './house/top-level-rules.ts';
import { wordFindings } from './house/word-rules.ts';

/** What is left beside the exceptions, and the exceptions that nothing needs any more: both must be empty. */
function judge(rules: readonly string[], findings: readonly Finding[]) {
  const known = knownExceptions.filter(({ rule }) => rules.some((one) => rule.startsWith(one)));
  const matches = (finding: Finding, exception: { rule: string; workspace: string }) =>
    finding.rule === exception.rule && finding.workspace === exception.workspace;
  return {
    broken: findings
      .filter((finding) => !known.some((exception) => matches(finding, exception)))
      .map(({ rule, text }) => `${rule}: ${text}`),
    noLongerNeeded: known.filter((exception) => !findings.some((finding) => matches(finding, exception))),
  };
}

const kept = { broken: [], noLongerNeeded: [] };

it('every workspace declares what it imports and nothing else, and dependencies point one way', () => {
  const rules = ['undeclared import', 'unused dependency', 'wrong direction', 'leaves its workspace'];
  expect(judge(rules, dependencyFindings())).toEqual(kept);
});

it('packages, files and rooms import each other in no circle, and an app has at most a dozen rooms', () => {
  expect(judge(['circle of', 'too many rooms', 'aggregate'], circleFindings())).toEqual(kept);
});

it('nothing is exported that nobody imports', () => {
  expect(judge(['unused export'], unusedExports())).toEqual(kept);
});

it('the top of the repository holds nothing but what is looked for there', () => {
  expect(judge(['top level'], topLevelFindings())).toEqual(kept);
});

it('a thing is called by its one word', () => {
  expect(judge(['word'], wordFindings())).toEqual(kept);
});

it('a function of more than one line is declared as a function', () => {
  expect(judge(['arrow constant'], functionFindings())).toEqual(kept);
});

afterAll(() => {
  if (knownExceptions.length > 0) {
    const lines = knownExceptions.map(({ rule, workspace }) => `  ${workspace}: ${rule}`);
    process.stdout.write(`Rules of the house that are still broken:\n${lines.join('\n')}\n`);
  }
});
