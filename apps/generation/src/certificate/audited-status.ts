import { type RevocationReason, revocationReasons } from '@rubrica/contracts/shared/enumerations';
import type { StoredEntry } from '@rubrica/database/entries';

/** Audit entry about the status of a certificate. */
export interface StatusEntry {
  readonly sequence: number;
  readonly action: 'certificate.revoked' | 'certificate.held' | 'certificate.released';
  readonly at: string;
  readonly requestId: string | null;
  readonly detail: EntryDetail;
  /** The stored entry, against which its MAC is checked. */
  readonly entry: StoredEntry;
}

interface EntryDetail {
  readonly reason?: RevocationReason;
  /** Absent in entries of earlier releases. */
  readonly status?: EntryStatus;
}

/** Status after the change, under a MAC. */
export interface EntryStatus {
  readonly id: string;
  readonly version: number;
  readonly issuer: string;
  readonly crlShard: number;
  readonly revokedAt: string | null;
  readonly heldAt: string | null;
  readonly mac: string;
}

/** Status that the audit log proves. */
export interface AuditedStatus {
  /** Version of the row. A lower one means that an older row was restored. */
  readonly version: number;
  readonly revokedAt: Date | null;
  readonly revocationReason: RevocationReason | null;
  readonly heldAt: Date | null;
  /** Time of the last entry that counts. */
  readonly changedAt: Date | null;
  readonly issuer: string | undefined;
  readonly crlShard: number | undefined;
  /** First entries that do not count, because nothing proves that this service wrote them. */
  readonly unproven: readonly StatusEntry[];
  /** Number of all entries that do not count. */
  readonly unprovenCount: number;
  /** True if an entry is from the time without MACs. */
  readonly hasUnguarded: boolean;
}

/** Status of the entries so far, to which later ones can be added. */
export interface FoldedStatus extends AuditedStatus {
  /** Version that the entries with a MAC prove. */
  readonly provenVersion: number;
  readonly isRevocationProven: boolean;
  readonly isHoldProven: boolean;
}

export interface StatusRules {
  /** Verifies the MAC of the entry, or of the status in it. Releases before this one wrote only the latter. */
  readonly isProven: (entry: StatusEntry) => boolean;
  /**
   * Position in the log below which a release without a MAC counts, because earlier releases wrote it. Null while
   * unset.
   */
  readonly guardedFrom: number | null;
}

/** Maximum number of unproven entries in a status: the role of the database can add any number. */
const maxUnproven = 20;

/** Status without entries. */
const noEntries: FoldedStatus = {
  version: 1,
  provenVersion: 1,
  isRevocationProven: false,
  isHoldProven: false,
  revokedAt: null,
  revocationReason: null,
  heldAt: null,
  changedAt: null,
  issuer: undefined,
  crlShard: undefined,
  unproven: [],
  unprovenCount: 0,
  hasUnguarded: false,
};

/**
 * Computes the status of one certificate from its audit entries, in order. An entry with a MAC counts. A revocation or
 * hold without one counts only from the time without MACs (`StoredEntry.unguarded`), so that an attacker cannot add one
 * later. A release counts with a version above that of the hold it ends, so that neither an invented nor a copied entry
 * releases anything.
 * @param earlier status of the entries before these
 */
export function foldStatus(
  entries: readonly StatusEntry[],
  rules: StatusRules,
  earlier: FoldedStatus = noEntries,
): FoldedStatus {
  let status = earlier;
  for (const stored of entries) {
    const entry = { ...stored, detail: readDetail(stored.detail) };
    const hasUnguarded = status.hasUnguarded || entry.entry.unguarded;
    const proven = entry.detail.status !== undefined && rules.isProven(entry);
    const version = proven ? Number(entry.detail.status?.version) : status.version + 1;
    const isReplayed = proven && version <= highestReplay(entry, status);
    if (isReplayed || !isTrusted(entry, proven, rules)) {
      const unproven = status.unproven.length < maxUnproven ? [...status.unproven, entry] : status.unproven;
      status = { ...status, hasUnguarded, unproven, unprovenCount: status.unprovenCount + 1 };
      continue;
    }
    status = {
      ...applyEntry(status, entry, proven),
      hasUnguarded,
      version: Math.max(status.version, version),
      provenVersion: proven ? Math.max(status.provenVersion, version) : status.provenVersion,
    };
  }
  return status;
}

/** Returns the highest version that counts as a replay. A revocation is final, so a copy of it changes nothing. */
function highestReplay({ action }: StatusEntry, status: FoldedStatus): number {
  if (action === 'certificate.revoked') return 0;
  return action === 'certificate.held' ? status.provenVersion : status.version;
}

function isTrusted(entry: StatusEntry, proven: boolean, { guardedFrom }: StatusRules): boolean {
  if (proven) return true;
  if (entry.action !== 'certificate.released') return entry.entry.unguarded;
  return guardedFrom === null || entry.sequence < guardedFrom;
}

function applyEntry(state: FoldedStatus, entry: StatusEntry, proven: boolean): FoldedStatus {
  const signedStatus = proven ? entry.detail.status : undefined;
  const at = wholeSecond(entry.at);
  const updated = {
    ...state,
    changedAt: at,
    issuer: state.issuer ?? signedStatus?.issuer,
    crlShard: state.crlShard ?? signedStatus?.crlShard,
  };
  // RFC 5280 §5.3.1: a revocation is final. Time and reason come from the first entry with a MAC; an attacker may have
  // added one without.
  const isCorrection = proven && !state.isRevocationProven && entry.action === 'certificate.revoked';
  if (state.revokedAt !== null && !isCorrection) return updated;
  switch (entry.action) {
    case 'certificate.revoked': {
      const earlier = proven && !state.isHoldProven ? null : state.heldAt;
      const heldAt = earlier ?? toDate(signedStatus?.heldAt);
      const revocationReason = toReason(entry.detail.reason);
      const revokedAt = toDate(signedStatus?.revokedAt) ?? at;
      return { ...updated, revokedAt, revocationReason, heldAt, isRevocationProven: proven };
    }
    case 'certificate.held': {
      const earlier = proven && !state.isHoldProven ? null : state.heldAt;
      const heldAt = earlier ?? toDate(signedStatus?.heldAt) ?? at;
      return { ...updated, heldAt, isHoldProven: proven || state.isHoldProven };
    }
    case 'certificate.released':
      return { ...updated, heldAt: null, isHoldProven: false };
  }
}

/**
 * Reads the detail of an entry defensively: the role of the database can add any content, and none may stop a list or
 * an answer.
 */
function readDetail(detail: unknown): EntryDetail {
  if (typeof detail !== 'object' || detail === null) return {};
  const { reason, status } = detail as EntryDetail;
  return { ...(reason !== undefined && { reason }), ...(typeof status === 'object' && status && { status }) };
}

function toReason(reason: unknown): RevocationReason {
  return revocationReasons.find((known) => known === reason) ?? 'unspecified';
}

function toDate(text: string | null | undefined): Date | null {
  return typeof text === 'string' ? new Date(text) : null;
}

const earliest = Date.UTC(2000, 0);
const latest = Date.UTC(9999, 0);

/** Rounds down: CRL and OCSP carry whole seconds of four-digit years. */
function wholeSecond(text: string): Date {
  const ms = Math.floor(new Date(text).getTime() / 1_000) * 1_000;
  return new Date(ms >= earliest && ms < latest ? ms : earliest);
}
