/** Prints progress: drills take minutes, and their reader sees the current step, and the results at the end. */
export function say(text: string): void {
  process.stdout.write(`${new Date().toISOString().slice(11, 19)}  ${text}\n`);
}

/** Prints one line per row, with aligned columns. */
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
