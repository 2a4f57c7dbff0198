export type Cell = string | number | null | undefined;

/** One line of RFC 4180, its end included. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** What a spreadsheet would take for a formula, also after what it leaves out in front. */
const formula = /^[\s\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]/u;

/** A text that begins like a formula gets an apostrophe, which spreadsheets show as text: names come from anybody. */
function csvCell(cell: Cell): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell === 'number') return String(cell);
  const text = formula.test(cell) || /^[\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
