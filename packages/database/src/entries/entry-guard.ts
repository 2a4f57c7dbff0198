/** Columns of an entry with its id and MAC. */
export interface EntryMac {
  readonly entryId: string;
  readonly entryMac: string;
}

/** Columns of an entry by name, as the service writes them or as `storedEntrySql` reads them. */
export type EntryColumns = Readonly<Record<string, unknown>>;

/** Entry as it is stored, with its MAC. */
interface MarkedEntry extends EntryColumns {
  readonly entry_id: string | null;
  readonly mac: string | null;
  /** Time at which the database inserted it; the service's role cannot choose it. */
  readonly at: string;
}

/** Entry as `storedEntrySql` reads it. */
export interface StoredEntry extends MarkedEntry {
  /** The entry needs no MAC: a former release wrote it, or a command of the schema's owner. */
  readonly unguarded: boolean;
}

/**
 * Creates and checks the MACs of the entries of one audit log. A MAC covers service and table, the entry's own id
 * (`entry_id`, unique, so that no entry counts twice) and every column that the service sets. The database alone
 * assigns number, time and position, which the service's role cannot choose. Only these and the members of
 * `AuditTable.filledMembers` are outside of the MAC.
 */
export interface EntryGuard {
  protect(entry: EntryColumns): EntryMac;
  /** Compares the MAC with the columns of an entry as stored. */
  hasMac(entry: MarkedEntry): boolean;
  /** Tells whether an entry counts: it has its MAC, or was written when none was needed. */
  counts(entry: StoredEntry): boolean;
}

/** Creates the guard of an access that writes no entry: an entry without a MAC does not count. */
export function refuseEntries(schema: string): EntryGuard {
  const refuse = (): never => {
    throw new Error(`this access to ${schema} has no key for the entries of its audit log`);
  };
  return { protect: refuse, hasMac: refuse, counts: refuse };
}
