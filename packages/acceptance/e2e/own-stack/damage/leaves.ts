export type Path = readonly string[];

/** The way to every value that has none below it; the whole, where it has none. */
export function leavesOf(value: unknown, depth = 0): Path[] {
  // What was made too deep on purpose is taken as a whole.
  if (typeof value !== 'object' || value === null || depth > 20) return [[]];
  const below = Object.entries(value).flatMap(([name, one]) =>
    leavesOf(one, depth + 1).map((path) => [name, ...path]),
  );
  return below.length === 0 ? [[]] : below;
}

/** A copy with one value changed. */
export function changeAt(value: unknown, path: Path, change: (old: unknown) => unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return change(value);
  if (Array.isArray(value)) {
    return value.map((one, index) => (String(index) === name ? changeAt(one, rest, change) : one));
  }
  const object = value as Readonly<Record<string, unknown>>;
  return { ...object, [name]: changeAt(object[name], rest, change) };
}
