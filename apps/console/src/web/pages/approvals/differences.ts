import { formatExactText } from './exact-text.ts';

type Entry = Readonly<Record<string, unknown>>;

export interface Difference {
  readonly field: string;
  /** Value as text; undefined where the record did not have the field. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly changes: boolean;
}

/**
 * Lists every field of both records in full, changed ones first; fields of inner objects by their path. An approver
 * signs what is displayed, so nothing is omitted or shortened.
 */
export function listDifferences(before: Entry | null, after: Entry): readonly Difference[] {
  const old = new Map(flatten(before ?? {}));
  const next = new Map(flatten(after));
  const fields = [...new Set([...old.keys(), ...next.keys()])];
  return fields
    .map((field) => {
      const [previous, current] = [old.get(field), next.get(field)];
      return { field, before: previous, after: current, changes: previous !== current };
    })
    .sort((left, right) => Number(right.changes) - Number(left.changes));
}

function flatten(value: Entry, path = ''): (readonly [string, string])[] {
  return Object.entries(value).flatMap(([name, inner]) => {
    const field = `${path}${/^[\w-]+$/.test(name) ? name : JSON.stringify(name)}`;
    const hasFields = typeof inner === 'object' && inner !== null && !Array.isArray(inner);
    if (hasFields && Object.keys(inner).length > 0) return flatten(inner as Entry, `${field}.`);
    return [[field, formatExactText(inner)] as const];
  });
}

/** Returns the display name of a record, or of its owner: its name, its version, or the subject of its certificate. */
export function getRecordName(record: Entry): string {
  const owner = Object.values(record).find(
    (value) => typeof value === 'object' && value !== null && 'name' in value,
  );
  if (owner !== undefined) return getRecordName(owner as Entry);
  const found = ['name', 'version', 'subject', 'referenceTransaction', 'serialNumber', 'email']
    .map((field) => record[field])
    .find((value) => typeof value === 'string');
  return (found as string | undefined) ?? '–';
}
