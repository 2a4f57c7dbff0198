import { canonicalValue } from '@rubrica/contracts/shared/canonical-value';
import type { EntryColumns, EntryGuard } from '@rubrica/database/entries';
import { uuidv7 } from '@rubrica/process/time';
import type { AuditTable } from '../log/audit-table.ts';

/** Part of the service's keyring that creates and checks MACs of entries. */
export interface EntryKeys {
  mac(data: string): string;
  /** Checks a MAC. A key that has ended is valid for entries written before its end: entries are never rewritten. */
  isMacOfTime(data: string, mac: string, writtenAtMs: number): boolean;
}

type EntryTable = Pick<AuditTable, 'service' | 'name' | 'id' | 'columns' | 'filledMembers'>;

export function createEntryGuard(options: {
  readonly table: EntryTable;
  readonly keys: EntryKeys;
}): EntryGuard {
  const { table, keys } = options;
  const columns = guardedEntryColumns(table);
  const names = columns.map(({ name }) => name);
  const prefix = `rubrica-entry ${table.service}.${table.name} entry_id ${names.join(' ')} `;
  const toData = (entryId: string, entry: EntryColumns) => {
    const values = columns.map(({ name, kind }) =>
      kind === 'json' ? toJson(entry[name], table.filledMembers) : toText(name, entry[name]),
    );
    return prefix + JSON.stringify([entryId, ...values]);
  };
  const hasMac: EntryGuard['hasMac'] = (entry) => {
    const { entry_id: entryId, mac } = entry;
    if (typeof entryId !== 'string' || typeof mac !== 'string') return false;
    return keys.isMacOfTime(toData(entryId, entry), mac, Date.parse(entry.at));
  };
  return {
    protect(entry) {
      const entryId = uuidv7();
      return { entryId, entryMac: keys.mac(toData(entryId, entry)) };
    },
    hasMac,
    counts: (entry) => entry.unguarded || hasMac(entry),
  };
}

/** Lists the columns that the MAC covers: all except those that the database sets. */
export function guardedEntryColumns({ id, columns }: Pick<AuditTable, 'id' | 'columns'>) {
  return columns.filter(({ name }) => name !== id && name !== 'at');
}

/** Converts to text: numbers and UUIDs as PostgreSQL prints them. A lone surrogate is stored as U+FFFD. */
function toText(name: string, value: unknown): string | null {
  if (value === null || value === undefined) return null;
  const text = String(value).toWellFormed();
  return name === 'request_id' ? text.toLowerCase() : text;
}

/** Converts to JSON. A column that is omitted has the default of both logs, an empty object. */
function toJson(value: unknown, filled: readonly string[] = []): string {
  if (value === null || value === undefined) return '{}';
  const parsed = typeof value === 'string' ? parseJson(value) : toJsonValue(value);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return canonicalValue(parsed);
  const members = Object.entries(parsed).filter(([name]) => !filled.includes(name));
  return canonicalValue(Object.fromEntries(members));
}

/** Converts the value to its JSON form. A value nested deeper than the call stack allows gets a constant text. */
function toJsonValue(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value));
  } catch {
    return 'nested too deeply';
  }
}

/**
 * Parses JSON; other text is a string. The database role can add entries with any content, and none may stop a reader.
 */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
