import type { UploadOptions } from '@rubrica/bus';
import type {
  EvidenceArea,
  EvidenceEntry,
  EvidenceStoreName,
} from '@rubrica/contracts/services/schemas/evidence';

/**
 * Encrypted evidence outside of PostgreSQL. An object is written once under an id that nobody had before; all that is
 * needed to read it is its entry, which is kept in intake's row and nowhere else. Every failure is an
 * `EvidenceStoreError`.
 */
export interface EvidenceStore {
  readonly name: EvidenceStoreName;
  /** Under `incoming/`: what the gateway takes in while nobody knows yet whether it will be wanted. */
  upload(options?: UploadOptions): EvidenceUpload;
  /**
   * Writes a whole object under `kept/`, which is intake's alone. Resolves when it is on file.
   * @param retainUntil whole seconds, to come; set before it resolves, where `locks` has a mode
   */
  keep(bytes: Uint8Array, retainUntil?: Date): Promise<EvidenceEntry>;
  /** Undefined where a store locks nothing. */
  readonly locks?: EvidenceLocks | undefined;
  /** Asks nothing yet. */
  get(entry: EvidenceEntry): StoredEvidence;
  /** An address that reads the object for a minute, for who has no rights of its own; undefined where a store has none. */
  addressOf(entry: EvidenceEntry): Promise<string | undefined>;
  /** Resolves too where it is gone already. */
  remove(entry: Pick<EvidenceEntry, 'id' | 'area'>): Promise<void>;
  /** Objects that were last written to at least `olderThanMs` ago, in no order; also parts of what never ended. */
  list(options: { readonly olderThanMs: number }): AsyncIterable<ListedObject>;
  /** Removes objects that nobody wants. */
  sweep(options: SweepOptions): Promise<Swept>;
  /** Resolves where the store answers one who it knows; writes nothing. @throws EvidenceStoreError */
  probe(): Promise<void>;
}

/** What keeps objects under `kept/` from being removed, by anybody. Each call may be repeated. */
export interface EvidenceLocks {
  /** How firm the dates are that it sets. */
  readonly mode: ObjectLockMode;
  /** Until a later date than before, whole seconds, to come. @throws EvidenceStoreError */
  retain(entry: LockedEntry, until: Date): Promise<void>;
  /** Sets or lifts a legal hold, which goes before any date. @throws EvidenceStoreError */
  hold(entry: LockedEntry, isHeld: boolean): Promise<void>;
  /** Removes all versions of an object; resolves too where there are none. @throws EvidenceStoreError `forbidden` as long as it is locked */
  destroy(entry: LockedEntry): Promise<void>;
  /** Whether the bucket was made for locks; false: all of the above fails. @throws EvidenceStoreError */
  isReady(): Promise<boolean>;
}

export type LockedEntry = Pick<EvidenceEntry, 'id' | 'area'>;

/**
 * - `none`: dates are not set.
 * - `governance`: who has the right to may shorten a date, and remove before it. None of ours has it.
 * - `compliance`: nobody may, the owner of the bucket neither.
 */
export const objectLockModes = ['none', 'governance', 'compliance'] as const;
export type ObjectLockMode = (typeof objectLockModes)[number];

/**
 * An object on its way into the store: bytes are sent while its maker does not know yet whether it will be wanted. What
 * nobody keeps the entry of, `sweep` removes.
 */
export interface EvidenceUpload {
  /** Takes bytes, which must not change any more. Whoever writes asks between writes how much is under way. */
  write(piece: Uint8Array): void;
  /** No more comes: sends what is left. */
  end(): void;
  /** Bytes that are held in memory: not sent, or not acknowledged. */
  heldBytes(): number;
  /** Of those, bytes that were sent: to be bounded by whoever writes. */
  underWayBytes(): number;
  /** Resolves when the oldest bytes under way are on file, or none are. @throws EvidenceStoreError */
  acknowledged(): Promise<void>;
  /** Why it could not be stored, once that is known: nothing comes of the object any more. */
  failure(): unknown;
  /** Resolves when every byte is on file. @throws EvidenceStoreError */
  finish(): Promise<EvidenceEntry>;
}

export interface StoredEvidence {
  /** Reads piece by piece, never beyond the entry's size. @throws EvidenceStoreError `missing`; `corrupt` when size or digest differ, at the latest at the end */
  chunks(): AsyncIterable<Uint8Array>;
  bytes(): Promise<Buffer>;
}

export interface ListedObject {
  readonly id: string;
  readonly area: EvidenceArea;
  /** By the store's own clock. */
  readonly storedAt: Date;
}

export interface SweepOptions {
  /** Longer than may pass between an object's last byte and its entry being kept. */
  readonly olderThanMs: number;
  /** Both, unless said. Without areas, as in NATS, all is `incoming`. */
  readonly areas?: readonly EvidenceArea[];
  /** Which of these objects have an entry that is still wanted. */
  readonly wanted: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
}

export interface Swept {
  /** Objects, whole or not. */
  readonly removed: number;
  /** Found under names that no service gives. NATS: removed; S3: it stays. */
  readonly foreign: number;
}
