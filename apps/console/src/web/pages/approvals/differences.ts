type Entry = Readonly<Record<string, unknown>>;

export interface Difference {
  readonly field: string;
  /** As text; undefined where the record did not have it. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly changes: boolean;
}

/** Every field of both records, those that change first; fields of inner objects by their path. */
export function differencesOf(before: Entry | null, after: Entry): readonly Difference[] {
  const old = new Map(flat(before ?? {}));
  const next = new Map(flat(after));
  const fields = [...new Set([...old.keys(), ...next.keys()])];
  return fields
    .map((field) => {
      const [was, becomes] = [old.get(field), next.get(field)];
      return { field, before: was && cut(was), after: becomes && cut(becomes), changes: was !== becomes };
    })
    .sort((a, b) => Number(b.changes) - Number(a.changes));
}

function flat(value: Entry, path = ''): (readonly [string, string])[] {
  return Object.entries(value).flatMap(([name, inner]) => {
    if (typeof inner === 'object' && inner !== null && !Array.isArray(inner))
      return flat(inner as Entry, `${path}${name}.`);
    return [[`${path}${name}`, textOf(inner)] as const];
  });
}

/** A picture is no text to read. */
function cut(text: string): string {
  return text.length > 5_000 ? `${text.slice(0, 40)}…` : text;
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(', ');
  return JSON.stringify(value);
}

/** What people call a record, or the one that it belongs to: its name, its version, whose certificate it is. */
export function nameOfRecord(record: Entry): string {
  const owner = Object.values(record).find(
    (value) => typeof value === 'object' && value !== null && 'name' in value,
  );
  if (owner !== undefined) return nameOfRecord(owner as Entry);
  const found = ['name', 'version', 'subject', 'referenceTransaction', 'serialNumber', 'email']
    .map((field) => record[field])
    .find((value) => typeof value === 'string');
  return (found as string | undefined) ?? '–';
}
