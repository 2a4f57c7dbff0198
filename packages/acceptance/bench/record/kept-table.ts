import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Figure, type FigureKey, knownFigures } from './figures.ts';

export const resultsFile = join(import.meta.dirname, '..', 'RESULTS.md');

const head = ['Key', 'Figure', 'Value', 'Ratio', 'To'];
/** A ratio may lie this much below what is kept: what differs less is noise of the machine. */
const noise = 0.2;

/** The kept ratios by key. @throws Error for a row that cannot be read, so that none is passed over */
export function readKept(markdown: string): Map<FigureKey, number> {
  const kept = new Map<FigureKey, number>();
  for (const line of tableLines(markdown)) {
    const [key = '', , , ratio = ''] = line
      .split('|')
      .slice(1)
      .map((cell) => cell.trim());
    if (!isKey(key) || !/^\d+\.\d+$/.test(ratio))
      throw new Error(`RESULTS.md has a row that says nothing: ${line}`);
    kept.set(key, Number(ratio));
  }
  return kept;
}

/** The same text with the table of these figures, as the formatter writes it. */
export function withTable(markdown: string, figures: readonly Figure[]): string {
  const rows = figures.map(({ key, value, ratio }) => {
    const { what, to } = knownFigures[key];
    return [key, what, value, ratio.toFixed(3), to];
  });
  const widths = head.map((_, at) => Math.max(3, ...[head, ...rows].map((row) => (row[at] ?? '').length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const rule = line(widths.map((width) => '-'.repeat(width)));
  const { start, end } = placeOfTable(markdown);
  return `${markdown.slice(0, start)}${[line(head), rule, ...rows.map(line)].join('\n')}${markdown.slice(end)}`;
}

/** What has fallen by more than a fifth; a figure that is not kept yet has not. */
export function fallen(figures: readonly Figure[], kept: ReadonlyMap<FigureKey, number>): Figure[] {
  return figures.filter(({ key, ratio }) => ratio < (kept.get(key) ?? 0) * (1 - noise));
}

export async function loadKept(): Promise<Map<FigureKey, number>> {
  return readKept(await readFile(resultsFile, 'utf8'));
}

export async function record(figures: readonly Figure[]): Promise<void> {
  await writeFile(resultsFile, withTable(await readFile(resultsFile, 'utf8'), figures));
}

function isKey(text: string): text is FigureKey {
  return Object.hasOwn(knownFigures, text);
}

/** The formatter pads cells, so the head is known by its words. */
function placeOfTable(markdown: string): { readonly start: number; readonly end: number } {
  const found = /^\| Key +\| Figure .*\n\| ?-.*(?:\n\|.*)*/m.exec(markdown);
  if (found === null) throw new Error('RESULTS.md has no table of figures');
  return { start: found.index, end: found.index + found[0].length };
}

function tableLines(markdown: string): string[] {
  const { start, end } = placeOfTable(markdown);
  return markdown.slice(start, end).split('\n').slice(2);
}
