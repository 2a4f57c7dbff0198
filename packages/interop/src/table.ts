import type { Row } from './read-all.ts';

/** Formats one line per reader: passed, failed, or left out because a program is missing; its faults follow. */
export function toLine({ reader, passed, failed, cannot, missing }: Row): string {
  const name = reader.name.padEnd(24);
  if (missing !== undefined) return `${name} left out: ${missing}`;
  const faults = failed.map(({ sample, what, fault }) => `\n    ${sample}: ${what}: ${fault}`).join('');
  const beyond = [...groupByReason(cannot)].map(
    ([why, samples]) => `\n    cannot, ${why}: ${samples.join(', ')}`,
  );
  const word =
    failed.length > 0 ? `FAILED ${failed.length} of ${passed + failed.length}` : `passed ${passed}`;
  return `${name} ${word}   ${reader.does}${faults}${beyond.join('')}`;
}

/** Groups samples by the reason why a program cannot use them. */
function groupByReason(cannot: Row['cannot']): Map<string, string[]> {
  return cannot.reduce((reasons, { sample, cannot: why = '' }) => {
    return reasons.set(why, [...(reasons.get(why) ?? []), sample]);
  }, new Map<string, string[]>());
}

/** Reduces rows to the data of the public page: figures without the samples, and reasons. */
export function toFigures(rows: readonly Row[]) {
  return rows.map(({ reader: { name }, passed, failed, cannot }) => ({
    name,
    passed,
    failed: failed.length,
    cannot: [...groupByReason(cannot).keys()],
  }));
}

/** Formats the rows as a Markdown table for the README. */
export function toMarkdown(rows: readonly Row[]): string {
  const cells = rows.map(({ reader, passed, failed, cannot, missing }) => {
    const result =
      missing === undefined ? `${passed} passed, ${failed.length} failed` : `left out: ${missing}`;
    const why = [...groupByReason(cannot).keys()].join('; ');
    return `| ${reader.name} | ${reader.does} | ${result} | ${why} |`;
  });
  return [
    '| Program | What it does with them | Result | What it cannot |',
    '| --- | --- | --- | --- |',
    ...cells,
    '',
  ].join('\n');
}
