import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { lintRules } from './lint.ts';

const readme = new URL('../../README.md', import.meta.url);

const header = ['Rule', 'Source', 'Severity', 'A good certificate'];
const cells = lintRules.map(({ id, source, severity, about, appliesTo }) => [
  `\`${id}\``,
  source,
  severity,
  appliesTo === 'any' ? about : `${about} (${appliesTo})`,
]);

function markdown(rows: readonly string[][]): string {
  const widths = header.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[], filler = ' ') =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0, filler)).join(' | ')} |`;
  const [first = [], ...rest] = rows;
  return [
    line(first),
    line(
      header.map(() => ''),
      '-',
    ),
    ...rest.map((row) => line(row)),
  ].join('\n');
}

it('lists every rule in the README; `vitest run --project unit src/lint -u` writes the list anew', async () => {
  const text = readFileSync(readme, 'utf8');
  const [before, after] = text.split(/(?<=<!-- rules -->\n)[\s\S]*?(?=<!-- end of rules -->)/);
  const wanted = `${before}\n${lintRules.length} rules.\n\n${markdown([header, ...cells])}\n\n${after}`;
  await expect(wanted).toMatchFileSnapshot(readme.pathname);
});
