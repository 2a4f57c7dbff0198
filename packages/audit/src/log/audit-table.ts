/** Conversion of a column's value to text in the canonical form. */
export type AuditColumnKind = 'text' | 'instant' | 'json';

/**
 * Audit table as the chain and its verifier see it. A row consists of exactly these columns, in this order, with these
 * names: a change of the list changes every hash, so it is never edited. A further column would be a new version of the
 * canonical form, and old rows would be verified by the old one.
 */
export interface AuditTable<Service extends string = string> {
  /** Service whose audit key signs the checkpoints. */
  readonly service: Service;
  /** Name of the table in the service's schema. */
  readonly name: string;
  /** Identity column; its numbers have gaps (rollbacks) and are not the position in the chain. */
  readonly id: string;
  /** The database sets the time of each row; the service's role cannot. */
  readonly isTimedByDatabase?: true;
  /**
   * Members of JSON columns whose values a statement reads from the database; the MAC of the entry does not cover them.
   */
  readonly filledMembers?: readonly string[];
  readonly columns: readonly { readonly name: string; readonly kind: AuditColumnKind }[];
  /** Columns, as text, of the entry at position 1, which marks the start of the chain. */
  readonly chainStart: Readonly<Record<string, string>>;
}

/** SQL expressions over the table's columns for values that services store differently; never built from input. */
export interface AuditExpressions {
  readonly target: string;
  readonly requestId: string;
  readonly reason: string;
  readonly details: string;
}

/** Audit log of a service: its chained table, and the expressions of its list for operators. */
export interface AuditLog<Service extends string = string> {
  readonly table: AuditTable<Service>;
  readonly expressions: AuditExpressions;
}

/** Action of the entry that starts a chain. */
export const chainStartAction = 'audit.start';

/** Largest position of a chain; larger numbers lose precision in JavaScript. */
export const maxSequence = Number.MAX_SAFE_INTEGER;
export const hashBytes = 32;
/** Predecessor hash of the first row. */
export const genesis = Buffer.alloc(hashBytes);

/** Crash points at which a test can end the process. After each, the next chainer continues. */
export const auditCrashPoints = {
  /** The entry that starts the chain is written, not committed: the next chainer starts the chain. */
  duringStart: 'audit-during-start',
  /** Rows were read, and no position is assigned: they are read again. */
  afterRead: 'audit-after-read',
  /** A batch has its positions, and the due checkpoint is missing: the next chainer signs it. */
  afterChain: 'audit-after-chain',
  /** The checkpoint is stored and not logged: the next chainer logs the newest one again. */
  afterCheckpoint: 'audit-after-checkpoint',
} as const;
