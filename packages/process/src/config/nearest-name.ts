/** Finds the known name that differs least, by one or two typing errors; undefined if none is near. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const near = known
    // A typing error changes the length by one at most.
    .filter((candidate) => Math.abs(candidate.length - name.length) <= maxTypingErrors(candidate))
    .map((candidate) => ({ candidate, slips: countTypingErrors(name, candidate) }))
    .filter(({ candidate, slips }) => slips <= maxTypingErrors(candidate))
    .sort((a, b) => a.slips - b.slips);
  return near[0]?.candidate;
}

/** Number of errors allowed. Short names resemble each other without any error: `SMS_URL` is not `SMTP_URL`. */
function maxTypingErrors(name: string): number {
  return name.length < 10 ? 1 : 2;
}

/** Counts letters that are surplus, missing, wrong, or swapped with their neighbour. */
function countTypingErrors(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= a.length; row += 1) {
    const here = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const at = (up: number, left: number) => rows[row - up]?.[column - left] ?? 0;
      const isSame = a[row - 1] === b[column - 1];
      const isTurned = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      here.push(
        Math.min(
          at(1, 0) + 1,
          (here[column - 1] ?? 0) + 1,
          at(1, 1) + (isSame ? 0 : 1),
          isTurned ? at(2, 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    rows.push(here);
  }
  return rows.at(-1)?.at(-1) ?? 0;
}
