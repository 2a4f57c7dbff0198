export type Cell = string | number | null | undefined | ExactText;

/** Text that spreadsheets would convert, such as a number with leading zeros. */
export interface ExactText {
  readonly exact: string;
}

/** Marks UTF-8; otherwise Excel uses the code page of its computer. */
export const byteOrderMark = '\ufeff';

/** Formats one line of RFC 4180, including its end. */
export function formatCsvLine(cells: readonly Cell[]): string {
  return `${cells.map(formatCell).join(',')}\r\n`;
}

/** Matches text that a spreadsheet would read as a formula, also after characters that it skips. */
const formula = /^[\s\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]/u;

/**
 * Formats a cell. Text that starts like a formula gets an apostrophe, which spreadsheets show as text: anyone can
 * choose a name.
 */
function formatCell(cell: Cell): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell === 'number') return String(cell);
  return quote(typeof cell === 'string' ? defuse(cell) : keepExact(cell.exact));
}

/** Matches a formula after a separator: in many languages spreadsheets separate cells by semicolons or tabs. */
const formulaWithin = /([;\t])(?=[\s\ufeff"']{0,99}[=+\-@\uff1d\uff0b\uff0d\uff20])/gu;

function defuse(text: string): string {
  const defused = text.replaceAll(formulaWithin, "$1'");
  return formula.test(text) || /^[\t\r]/.test(text) ? `'${defused}` : defused;
}

/**
 * Matches text that spreadsheets read as a number, an amount, a date, a time or a truth value, in English or Spanish.
 */
const converted = [
  /^[\s.,($€£]*\d/,
  /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|set|oct|nov|dec|ene|abr|ago|dic)[a-z]*[\s./-]*\d/i,
  /^(?:true|false|verdadero|falso)$/i,
];

/** Formats a formula that returns the text, the only way to keep Excel from converting it when it opens a file. */
function keepExact(text: string): string {
  const isConverted = converted.some((pattern) => pattern.test(text));
  return isConverted ? `="${text.replaceAll('"', '""')}"` : defuse(text);
}

function quote(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
