/** Drills take minutes: whoever runs one sees what it does, and at the end what was seen. */
export function say(text: string): void {
  process.stdout.write(`${new Date().toISOString().slice(11, 19)}  ${text}\n`);
}

/** One line a row, its columns aligned. */
export function sayTable(rows: readonly (readonly (string | number)[])[]): void {
  const columns = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => String(row[column] ?? '').length)),
  );
  for (const row of rows) {
    const cells = row.map((cell, column) => String(cell).padEnd(widths[column] ?? 0));
    process.stdout.write(`  ${cells.join('  ').trimEnd()}\n`);
  }
}
