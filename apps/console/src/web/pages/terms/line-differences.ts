export interface Line {
  readonly text: string;
  readonly kind: 'same' | 'added' | 'removed';
}

/** Beyond this many pairs of lines the comparison would be felt; what is longer is shown as replaced. */
const most = 4_000_000;

/** What lines were taken out of a text and what lines were put in, in their order (longest common subsequence). */
export function lineDifferences(before: string, after: string): readonly Line[] {
  const old = before.split('\n');
  const next = after.split('\n');
  if (old.length * next.length > most)
    return [...old.map((text) => ({ text, kind: 'removed' }) as const), ...added(next)];
  const lengths = commonLengths(old, next);
  const lines: Line[] = [];
  for (let i = 0, j = 0; i < old.length || j < next.length; ) {
    const [was, becomes] = [old[i], next[j]];
    if (was !== undefined && was === becomes) {
      lines.push({ text: was, kind: 'same' });
      i += 1;
      j += 1;
    } else if (
      becomes === undefined ||
      (was !== undefined && at(lengths, i + 1, j) >= at(lengths, i, j + 1))
    ) {
      lines.push({ text: was ?? '', kind: 'removed' });
      i += 1;
    } else {
      lines.push({ text: becomes, kind: 'added' });
      j += 1;
    }
  }
  return lines;
}

function added(lines: readonly string[]): Line[] {
  return lines.map((text) => ({ text, kind: 'added' }));
}

/** How many lines the rests of both have in common, from each place on. */
function commonLengths(old: readonly string[], next: readonly string[]): Uint32Array[] {
  const rows = Array.from({ length: old.length + 1 }, () => new Uint32Array(next.length + 1));
  for (let i = old.length - 1; i >= 0; i -= 1) {
    const row = rows[i] as Uint32Array;
    for (let j = next.length - 1; j >= 0; j -= 1)
      row[j] =
        old[i] === next[j] ? at(rows, i + 1, j + 1) + 1 : Math.max(at(rows, i + 1, j), at(rows, i, j + 1));
  }
  return rows;
}

function at(rows: readonly Uint32Array[], i: number, j: number): number {
  return rows[i]?.[j] ?? 0;
}
