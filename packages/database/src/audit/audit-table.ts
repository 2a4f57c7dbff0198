/** How a column's value becomes text in the canonical form. */
export type AuditColumnKind = 'text' | 'instant' | 'json';

/**
 * An audit table, as the chain and its verifier see it. What a row says is exactly these columns, in this order,
 * by these names: changing the list changes every hash, so it is never edited. A further column would be a new
 * version of the canonical form, with the old rows verified by the old one.
 */
export interface AuditTable<Service extends string = string> {
  /** The service whose audit key signs the checkpoints. */
  readonly service: Service;
  /** The table's name in the service's schema. */
  readonly name: string;
  /** The identity column; its numbers have gaps (rollbacks) and are not the place in the chain. */
  readonly id: string;
  /** The database gives each row its time, and the service's role none. */
  readonly isTimedByDatabase?: true;
  /** Members of JSON columns whose values a statement finds in the database; they are not under the MAC of the entry. */
  readonly filledMembers?: readonly string[];
  readonly columns: readonly { readonly name: string; readonly kind: AuditColumnKind }[];
  /** Columns of the entry at place 1, which says that a chain begins here, and their values as text. */
  readonly chainStart: Readonly<Record<string, string>>;
}

/** The action of that entry. */
export const chainStartAction = 'audit.start';

/** The largest place a chain may have; numbers above lose exactness in JavaScript. */
export const greatestSequence = Number.MAX_SAFE_INTEGER;
export const hashBytes = 32;
/** What the first row follows. */
export const genesis = Buffer.alloc(hashBytes);

/** Takes one process at a time to each of these, by a test that arms it. After each, who comes next goes on. */
export const auditCrashPoints = {
  /** The entry that begins the chain is written, not committed: who comes next begins the chain. */
  duringStart: 'audit-during-start',
  /** Rows were read, no place is given: they are read again. */
  afterRead: 'audit-after-read',
  /** A batch has its places, the checkpoint that was due is missing: it is made by who comes next. */
  afterChain: 'audit-after-chain',
  /** The checkpoint is stored and stands in no log: who comes next logs the newest again. */
  afterCheckpoint: 'audit-after-checkpoint',
} as const;
