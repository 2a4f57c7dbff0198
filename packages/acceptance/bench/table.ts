export interface Row {
  readonly what: string;
  readonly value: string;
  readonly note?: string;
}

/** Formats rows under a title, in columns as wide as their longest text. */
export function formatSection(title: string, rows: readonly Row[]): string {
  const width = (pick: (row: Row) => string) => Math.max(...rows.map((row) => pick(row).length));
  const whatWidth = width((row) => row.what);
  const valueWidth = width((row) => row.value);
  const lines = rows.map(({ what, value, note }) =>
    `  ${what.padEnd(whatWidth)}  ${value.padStart(valueWidth)}  ${note ?? ''}`.trimEnd(),
  );
  return [title, ...lines, ''].join('\n');
}
