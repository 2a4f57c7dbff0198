import { maxItems } from './structure-limits.ts';

/** Tracks the position of a scanner in the document, as far as files are possible there: `field`, or `list[].field`. */
export interface PathSet {
  /** Reads a key of the object at `depth` (the document's own object is 1), as it appears between its quotes. */
  key(depth: number, text: Buffer): void;
  /** Enters a container, which is then at `depth`. */
  open(depth: number, kind: 'object' | 'array'): void;
  /** Advances to the next element of the array at `depth`. */
  next(depth: number): void;
  /** Returns the location of a value directly inside the container at `depth`, if it may be a file; else undefined. */
  file(depth: number): string | undefined;
}

export function createPathSet(files: readonly string[]): PathSet {
  const fields = new Set(files.filter((place) => !place.includes('[].')));
  const lists = new Map<string, Set<string>>();
  for (const place of files) {
    const [list, name] = place.split('[].') as [string, string?];
    if (name !== undefined) lists.set(list, (lists.get(list) ?? new Set()).add(name));
  }
  const kinds: ('object' | 'array' | undefined)[] = [];
  let root = '';
  let inner = '';
  let item = 0;

  return {
    key(depth, text) {
      if (depth === 1) root = readKey(text);
      else if (depth === 3) inner = readKey(text);
    },
    open(depth, kind) {
      if (depth <= 3) kinds[depth] = kind;
      if (depth === 2) item = 0;
    },
    next(depth) {
      if (depth === 2) item += 1;
    },
    file(depth) {
      if (kinds[1] !== 'object') return undefined;
      if (depth === 1) return fields.has(root) ? root : undefined;
      if (depth !== 3 || kinds[2] !== 'array' || kinds[3] !== 'object' || item >= maxItems) return undefined;
      return lists.get(root)?.has(inner) ? `${root}[${item}].${inner}` : undefined;
    },
  };
}

/** Decodes a key: `"\u0061"` is the key `a` too. */
function readKey(text: Buffer): string {
  const raw = text.toString('utf8');
  return raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw;
}
