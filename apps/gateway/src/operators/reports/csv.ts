export type Cell = string | number | null | undefined | ExactText;

/** A text that spreadsheets would change, such as a number with zeros in front. */
export interface ExactText {
  readonly exact: string;
}

/** Without it Excel takes UTF-8 for the code page of its computer. */
export const byteOrderMark = '\ufeff';

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
  return quote(typeof cell === 'string' ? defuse(cell) : keepExact(cell.exact));
}

/** In many languages spreadsheets divide cells by semicolons or tabs, and a formula may begin there. */
const formulaWithin = /([;\t])(?=[\s\ufeff"']{0,99}[=+\-@\uff1d\uff0b\uff0d\uff20])/gu;

function defuse(text: string): string {
  const defused = text.replaceAll(formulaWithin, "$1'");
  return formula.test(text) || /^[\t\r]/.test(text) ? `'${defused}` : defused;
}

/** Matches text that spreadsheets read as a number, an amount, a date, a time or a truth value, in English or Spanish. */
const converted = [
  /^[\s.,($€£]*\d/,
  /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|set|oct|nov|dec|ene|abr|ago|dic)[a-z]*[\s./-]*\d/i,
  /^(?:true|false|verdadero|falso)$/i,
];

/** A formula that gives the text: nothing else makes Excel leave it as it is when it opens a file by itself. */
function keepExact(text: string): string {
  const isConverted = converted.some((pattern) => pattern.test(text));
  return isConverted ? `="${text.replaceAll('"', '""')}"` : defuse(text);
}

function quote(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
