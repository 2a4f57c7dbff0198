import { canonicalValue } from '@rubrica/contracts/shared/canonical-value';
import { uuidv7 } from '@rubrica/process';
import type { AuditTable } from './audit-table.ts';

/** Columns that the MAC of an entry gives it. */
export interface EntryMac {
  readonly entryId: string;
  readonly entryMac: string;
}

/** Columns of an entry by their names, as the service writes them or as `storedEntrySql` reads them. */
export type EntryColumns = Readonly<Record<string, unknown>>;

interface MarkedEntry extends EntryColumns {
  readonly entry_id: string | null;
  readonly mac: string | null;
  /** When the database took it; the service's role cannot choose it. */
  readonly at: string;
}

/** An entry as `storedEntrySql` reads it. */
export interface StoredEntry extends MarkedEntry {
  /** Needs no MAC: a release before wrote it, or a command of the schema's owner. */
  readonly unguarded: boolean;
}

/**
 * MACs of the entries of one audit log. A MAC covers service and table, the entry's own id (`entry_id`, unique, so that no
 * entry counts twice) and every column that the service gives a value. The database alone gives number, time and place: the
 * service's role cannot choose them, and nothing else is outside of the MAC than the members of `AuditTable.filledMembers`.
 */
export interface EntryGuard {
  protect(entry: EntryColumns): EntryMac;
  /** Compares the MAC with the columns of an entry as stored. */
  hasMac(entry: MarkedEntry): boolean;
  /** Tells whether an entry counts: it has its MAC, or was written when none was needed. */
  counts(entry: StoredEntry): boolean;
}

/** Part of the service's keyring. */
export interface EntryKeys {
  mac(data: string): string;
  /** A key that was ended counts for what was written before its end: entries are never written anew. */
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

/** Guard of an access that writes no entry: an entry without a MAC is one that nobody wrote. */
export function refuseEntries(schema: string): EntryGuard {
  const refuse = (): never => {
    throw new Error(`this access to ${schema} has no key for the entries of its audit log`);
  };
  return { protect: refuse, hasMac: refuse, counts: refuse };
}

/** Columns under the MAC: all but those that the database fills. */
export function guardedEntryColumns({ id, columns }: Pick<AuditTable, 'id' | 'columns'>) {
  return columns.filter(({ name }) => name !== id && name !== 'at');
}

/** Numbers and UUIDs as PostgreSQL prints them. A lone surrogate is stored as U+FFFD. */
function toText(name: string, value: unknown): string | null {
  if (value === null || value === undefined) return null;
  const text = String(value).toWellFormed();
  return name === 'request_id' ? text.toLowerCase() : text;
}

/** A column that is left out has the default of both logs, an empty object. */
function toJson(value: unknown, filled: readonly string[] = []): string {
  if (value === null || value === undefined) return '{}';
  const parsed = typeof value === 'string' ? parse(value) : plainOf(value);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return canonicalValue(parsed);
  const members = Object.entries(parsed).filter(([name]) => !filled.includes(name));
  return canonicalValue(Object.fromEntries(members));
}

/** The value as JSON has it. Of one that is nested deeper than a call stack is, the same text. */
function plainOf(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value));
  } catch {
    return 'nested too deeply';
  }
}

/** JSON as text, or a string that was parsed: the role of the database can add entries of any content, and none may stop a reader. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
