export type Path = readonly string[];

/** Lists the paths to every value without children; the whole value if it has none. */
export function listLeaves(value: unknown, depth = 0): Path[] {
  // Values nested deeply by intent count as one.
  if (typeof value !== 'object' || value === null || depth > 20) return [[]];
  const below = Object.entries(value).flatMap(([name, one]) =>
    listLeaves(one, depth + 1).map((path) => [name, ...path]),
  );
  return below.length === 0 ? [[]] : below;
}

/** Copies the value with one part changed. */
export function changeAt(value: unknown, path: Path, change: (old: unknown) => unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return change(value);
  if (Array.isArray(value)) {
    return value.map((one, index) => (String(index) === name ? changeAt(one, rest, change) : one));
  }
  const object = value as Readonly<Record<string, unknown>>;
  return { ...object, [name]: changeAt(object[name], rest, change) };
}
