export interface Line {
  readonly text: string;
  readonly kind: 'same' | 'added' | 'removed';
}

/** Maximum pairs of lines to compare; longer texts are shown as replaced, because the comparison would be slow. */
const maxPairs = 4_000_000;

/** Compares two texts by lines (longest common subsequence): same, removed and added lines in order. */
export function compareLines(before: string, after: string): readonly Line[] {
  const old = before.split('\n');
  const next = after.split('\n');
  if (old.length * next.length > maxPairs)
    return [...old.map((text) => ({ text, kind: 'removed' }) as const), ...toAddedLines(next)];
  const lengths = commonLengths(old, next);
  const lines: Line[] = [];
  for (let i = 0, j = 0; i < old.length || j < next.length; ) {
    const [oldLine, newLine] = [old[i], next[j]];
    if (oldLine !== undefined && oldLine === newLine) {
      lines.push({ text: oldLine, kind: 'same' });
      i += 1;
      j += 1;
    } else if (
      newLine === undefined ||
      (oldLine !== undefined && getLength(lengths, i + 1, j) >= getLength(lengths, i, j + 1))
    ) {
      lines.push({ text: oldLine ?? '', kind: 'removed' });
      i += 1;
    } else {
      lines.push({ text: newLine, kind: 'added' });
      j += 1;
    }
  }
  return lines;
}

function toAddedLines(lines: readonly string[]): Line[] {
  return lines.map((text) => ({ text, kind: 'added' }));
}

/** Computes the length of the common rest from each pair of positions. */
function commonLengths(old: readonly string[], next: readonly string[]): Uint32Array[] {
  const rows = Array.from({ length: old.length + 1 }, () => new Uint32Array(next.length + 1));
  for (let i = old.length - 1; i >= 0; i -= 1) {
    const row = rows[i] as Uint32Array;
    for (let j = next.length - 1; j >= 0; j -= 1)
      row[j] =
        old[i] === next[j]
          ? getLength(rows, i + 1, j + 1) + 1
          : Math.max(getLength(rows, i + 1, j), getLength(rows, i, j + 1));
  }
  return rows;
}

function getLength(rows: readonly Uint32Array[], i: number, j: number): number {
  return rows[i]?.[j] ?? 0;
}
