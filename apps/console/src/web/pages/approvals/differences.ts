import { exactText } from './exact-text.ts';

type Entry = Readonly<Record<string, unknown>>;

export interface Difference {
  readonly field: string;
  /** As text; undefined where the record did not have it. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly changes: boolean;
}

/**
 * Every field of both records, in full and those that change first; fields of inner objects by their path. An approver
 * signs what is shown of it, so that nothing is left out or shortened.
 */
export function differencesOf(before: Entry | null, after: Entry): readonly Difference[] {
  const old = new Map(flat(before ?? {}));
  const next = new Map(flat(after));
  const fields = [...new Set([...old.keys(), ...next.keys()])];
  return fields
    .map((field) => {
      const [was, becomes] = [old.get(field), next.get(field)];
      return { field, before: was, after: becomes, changes: was !== becomes };
    })
    .sort((a, b) => Number(b.changes) - Number(a.changes));
}

function flat(value: Entry, path = ''): (readonly [string, string])[] {
  return Object.entries(value).flatMap(([name, inner]) => {
    const field = `${path}${/^[\w-]+$/.test(name) ? name : JSON.stringify(name)}`;
    const hasFields = typeof inner === 'object' && inner !== null && !Array.isArray(inner);
    if (hasFields && Object.keys(inner).length > 0) return flat(inner as Entry, `${field}.`);
    return [[field, exactText(inner)] as const];
  });
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
