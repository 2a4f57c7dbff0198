import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Figure, type FigureKey, knownFigures } from './figures.ts';

export const resultsFile = join(import.meta.dirname, '..', 'RESULTS.md');

const head = ['Key', 'Figure', 'Value', 'Ratio', 'To'];
/** Tolerance below the recorded ratio: smaller differences are noise of the machine. */
const tolerance = 0.2;

/**
 * Reads the recorded ratios by key.
 * @throws Error for an unreadable row, so that none is skipped
 */
export function readWaiting(markdown: string): Map<FigureKey, number> {
  const recorded = new Map<FigureKey, number>();
  for (const line of tableLines(markdown)) {
    const [key = '', , , ratio = ''] = line
      .split('|')
      .slice(1)
      .map((cell) => cell.trim());
    if (!isKey(key) || !/^\d+\.\d+$/.test(ratio))
      throw new Error(`RESULTS.md has a row that says nothing: ${line}`);
    recorded.set(key, Number(ratio));
  }
  return recorded;
}

/** Replaces the table in the text by these figures, in the formatter's style. */
export function withTable(markdown: string, figures: readonly Figure[]): string {
  const rows = figures.map(({ key, value, ratio }) => {
    const { what, to } = knownFigures[key];
    return [key, what, value, ratio.toFixed(3), to];
  });
  const widths = head.map((_, at) => Math.max(3, ...[head, ...rows].map((row) => (row[at] ?? '').length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const rule = line(widths.map((width) => '-'.repeat(width)));
  const { start, end } = findTable(markdown);
  return `${markdown.slice(0, start)}${[line(head), rule, ...rows.map(line)].join('\n')}${markdown.slice(end)}`;
}

/** Lists the figures that have fallen by more than a fifth; a figure without a record has not. */
export function fallen(figures: readonly Figure[], recorded: ReadonlyMap<FigureKey, number>): Figure[] {
  return figures.filter(({ key, ratio }) => ratio < (recorded.get(key) ?? 0) * (1 - tolerance));
}

export async function loadKept(): Promise<Map<FigureKey, number>> {
  return readWaiting(await readFile(resultsFile, 'utf8'));
}

export async function record(figures: readonly Figure[]): Promise<void> {
  await writeFile(resultsFile, withTable(await readFile(resultsFile, 'utf8'), figures));
}

function isKey(text: string): text is FigureKey {
  return Object.hasOwn(knownFigures, text);
}

/** Finds the table. The formatter pads cells, so the pattern matches the words of the head. */
function findTable(markdown: string): { readonly start: number; readonly end: number } {
  const found = /^\| Key +\| Figure .*\n\| ?-.*(?:\n\|.*)*/m.exec(markdown);
  if (found === null) throw new Error('RESULTS.md has no table of figures');
  return { start: found.index, end: found.index + found[0].length };
}

function tableLines(markdown: string): string[] {
  const { start, end } = findTable(markdown);
  return markdown.slice(start, end).split('\n').slice(2);
}
