import type { Row } from './read-all.ts';

/** One line a reader: passed, failed, or left out because something is missing; faults stand below it. */
export function toLine({ reader, passed, failed, cannot, missing }: Row): string {
  const name = reader.name.padEnd(24);
  if (missing !== undefined) return `${name} left out: ${missing}`;
  const faults = failed.map(({ sample, what, fault }) => `\n    ${sample}: ${what}: ${fault}`).join('');
  const beyond = [...reasonsOf(cannot)].map(
    ([why, samples]) => `\n    cannot, ${why}: ${samples.join(', ')}`,
  );
  const word =
    failed.length > 0 ? `FAILED ${failed.length} of ${passed + failed.length}` : `passed ${passed}`;
  return `${name} ${word}   ${reader.does}${faults}${beyond.join('')}`;
}

/** Samples by the reason why a program cannot use them. */
function reasonsOf(cannot: Row['cannot']): Map<string, string[]> {
  return cannot.reduce((reasons, { sample, cannot: why = '' }) => {
    return reasons.set(why, [...(reasons.get(why) ?? []), sample]);
  }, new Map<string, string[]>());
}

/** What the page for people is written from: figures without the samples, and reasons. */
export function toFigures(rows: readonly Row[]) {
  return rows.map(({ reader: { name }, passed, failed, cannot }) => ({
    name,
    passed,
    failed: failed.length,
    cannot: [...reasonsOf(cannot).keys()],
  }));
}

/** The same as a table of Markdown, for the README. */
export function toMarkdown(rows: readonly Row[]): string {
  const cells = rows.map(({ reader, passed, failed, cannot, missing }) => {
    const result =
      missing === undefined ? `${passed} passed, ${failed.length} failed` : `left out: ${missing}`;
    const why = [...reasonsOf(cannot).keys()].join('; ');
    return `| ${reader.name} | ${reader.does} | ${result} | ${why} |`;
  });
  return [
    '| Program | What it does with them | Result | What it cannot |',
    '| --- | --- | --- | --- |',
    ...cells,
    '',
  ].join('\n');
}
