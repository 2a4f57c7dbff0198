import type { UploadOptions } from '@rubrica/bus';
import type {
  EvidenceArea,
  EvidenceEntry,
  EvidenceStoreName,
} from '@rubrica/contracts/services/schemas/evidence';

/**
 * Encrypted evidence outside of PostgreSQL. An object is written once under an id that was never used before. Its
 * entry, stored only in intake's row, contains all that is needed to read it. Every failure is an `EvidenceStoreError`.
 */
export interface EvidenceStore {
  readonly name: EvidenceStoreName;
  /** Starts an object under `incoming/`: evidence that the gateway receives before a request for it exists. */
  upload(options?: UploadOptions): EvidenceUpload;
  /**
   * Writes a whole object under `kept/`, where only intake writes. Resolves when it is stored.
   * @param retainUntil whole seconds, in the future; set before it resolves, if `locks` has a mode
   */
  keep(bytes: Uint8Array, retainUntil?: Date): Promise<EvidenceEntry>;
  /** Undefined if the store cannot lock. */
  readonly locks?: EvidenceLocks | undefined;
  /** Opens an object without a request to the store. */
  get(entry: EvidenceEntry): StoredEvidence;
  /**
   * Creates an address that allows callers without their own rights to read the object for a minute; undefined if the
   * store has none.
   */
  addressOf(entry: EvidenceEntry): Promise<string | undefined>;
  /** Removes an object; resolves too if it no longer exists. */
  remove(entry: Pick<EvidenceEntry, 'id' | 'area'>): Promise<void>;
  /** Lists objects last written at least `olderThanMs` ago, in no order; also parts of incomplete objects. */
  list(options: { readonly olderThanMs: number }): AsyncIterable<ListedObject>;
  /** Removes objects that no entry refers to. */
  sweep(options: SweepOptions): Promise<EvidenceSweepResult>;
  /**
   * Resolves if the store answers and recognizes the service; writes nothing.
   * @throws EvidenceStoreError
   */
  probe(): Promise<void>;
}

/** Locks that prevent removal of objects under `kept/` by any user. Each call may be repeated. */
export interface EvidenceLocks {
  /** Strength of the dates that it sets. */
  readonly mode: ObjectLockMode;
  /**
   * Retains an object until a later date than before, in whole seconds, in the future.
   * @throws EvidenceStoreError
   */
  retain(entry: LockedEntry, until: Date): Promise<void>;
  /**
   * Sets or removes a legal hold, which takes precedence over any date.
   * @throws EvidenceStoreError
   */
  hold(entry: LockedEntry, isHeld: boolean): Promise<void>;
  /**
   * Removes all versions of an object; resolves too if none exists.
   * @throws EvidenceStoreError `forbidden` while it is locked
   */
  destroy(entry: LockedEntry): Promise<void>;
  /**
   * Checks if the bucket was created for locks; if not, all of the above fails.
   * @throws EvidenceStoreError
   */
  isReady(): Promise<boolean>;
}

export type LockedEntry = Pick<EvidenceEntry, 'id' | 'area'>;

/**
 * - `none`: dates are not set.
 * - `governance`: users with a special right may shorten a date, and remove objects before it. No service has that
 * right.
 * - `compliance`: no user may, not even the owner of the bucket.
 */
export const objectLockModes = ['none', 'governance', 'compliance'] as const;
export type ObjectLockMode = (typeof objectLockModes)[number];

/**
 * Upload in progress: bytes are sent before its creator knows if the object will be used. `sweep` removes objects whose
 * entry was not stored.
 */
export interface EvidenceUpload {
  /**
   * Accepts bytes, which must not change afterwards. Between writes the caller checks the number of bytes in progress.
   */
  write(piece: Uint8Array): void;
  /** Sends the remaining bytes; no more follow. */
  end(): void;
  /** Counts the bytes in memory: not sent, or not acknowledged. */
  heldBytes(): number;
  /** Counts the bytes that were sent and not acknowledged, which the caller must limit. */
  underWayBytes(): number;
  /**
   * Resolves when the oldest sent bytes are stored, or when none are open.
   * @throws EvidenceStoreError
   */
  acknowledged(): Promise<void>;
  /** Returns the reason for a failure once it is known; the object cannot be completed then. */
  failure(): unknown;
  /**
   * Resolves when every byte is stored.
   * @throws EvidenceStoreError
   */
  finish(): Promise<EvidenceEntry>;
}

export interface StoredEvidence {
  /**
   * Reads piece by piece, never beyond the entry's size.
   * @throws EvidenceStoreError `missing`; `corrupt` if size or digest differ, at the latest at the end
   */
  chunks(): AsyncIterable<Uint8Array>;
  bytes(): Promise<Buffer>;
}

export interface ListedObject {
  readonly id: string;
  readonly area: EvidenceArea;
  /** Time by the store's own clock. */
  readonly storedAt: Date;
}

export interface SweepOptions {
  /** Longer than the time that may pass between an object's last byte and the storage of its entry. */
  readonly olderThanMs: number;
  /** Areas to sweep, default both. Without areas, as in NATS, all objects are `incoming`. */
  readonly areas?: readonly EvidenceArea[];
  /** Finds the ids whose entries are still in use. */
  readonly wanted: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
}

export interface EvidenceSweepResult {
  /** Number of removed objects, complete or not. */
  readonly removed: number;
  /** Number of objects whose names no service uses. NATS removes them; S3 leaves them. */
  readonly foreign: number;
}
