import { type RevocationReason, revocationReasons } from '@rubrica/contracts/shared/enumerations';
import type { StoredEntry } from '@rubrica/database';

/** Audit entry about the status of a certificate. */
export interface StatusEntry {
  readonly sequence: number;
  readonly action: 'certificate.revoked' | 'certificate.held' | 'certificate.released';
  readonly at: string;
  readonly requestId: string | null;
  readonly detail: EntryDetail;
  /** The entry as it is stored, which its MAC is checked against. */
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
  /** A row of an earlier version was put back. */
  readonly version: number;
  readonly revokedAt: Date | null;
  readonly revocationReason: RevocationReason | null;
  readonly heldAt: Date | null;
  /** Time of the last entry that counts. */
  readonly changedAt: Date | null;
  readonly issuer: string | undefined;
  readonly crlShard: number | undefined;
  /** Entries that do not count: nothing shows that this service wrote them. */
  readonly unproven: readonly StatusEntry[];
}

export interface StatusRules {
  /** Verifies the MAC of the entry, or that of the status in it, which releases before the present one wrote alone. */
  readonly isProven: (entry: StatusEntry) => boolean;
  /** Releases without a MAC count below this place in the log: earlier releases wrote them. Null: nowhere yet. */
  readonly guardedFrom: number | null;
}

/**
 * Status of one certificate by its audit entries, in their order. Each counts with a MAC. Without one a revocation or a hold
 * counts where entries needed none (`StoredEntry.unguarded`): who adds one later revokes nothing. A release counts with a version
 * above the hold that it ends, so that neither an invented nor a copied entry releases anything.
 */
export function foldStatus(entries: readonly StatusEntry[], rules: StatusRules): AuditedStatus {
  const unproven: StatusEntry[] = [];
  let status: Folded = {
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
  };
  for (const stored of entries) {
    const entry = { ...stored, detail: readDetail(stored.detail) };
    const proven = entry.detail.status !== undefined && rules.isProven(entry);
    const version = proven ? Number(entry.detail.status?.version) : status.version + 1;
    const isReplayed = proven && version <= replayedUpTo(entry, status);
    if (isReplayed || !isBelieved(entry, proven, rules)) {
      unproven.push(entry);
      continue;
    }
    status = {
      ...applied(status, entry, proven),
      version: Math.max(status.version, version),
      provenVersion: proven ? Math.max(status.provenVersion, version) : status.provenVersion,
    };
  }
  const { isRevocationProven: _, isHoldProven: __, provenVersion: ___, ...folded } = status;
  return { ...folded, unproven };
}

interface Folded extends Omit<AuditedStatus, 'unproven'> {
  /** Version that the entries with a MAC prove. */
  readonly provenVersion: number;
  readonly isRevocationProven: boolean;
  readonly isHoldProven: boolean;
}

/** A revocation is final, so that a copy of it changes nothing. */
function replayedUpTo({ action }: StatusEntry, status: Folded): number {
  if (action === 'certificate.revoked') return 0;
  return action === 'certificate.held' ? status.provenVersion : status.version;
}

function isBelieved(entry: StatusEntry, proven: boolean, { guardedFrom }: StatusRules): boolean {
  if (proven) return true;
  if (entry.action !== 'certificate.released') return entry.entry.unguarded;
  return guardedFrom === null || entry.sequence < guardedFrom;
}

function applied(before: Folded, entry: StatusEntry, proven: boolean): Folded {
  const stated = proven ? entry.detail.status : undefined;
  const at = wholeSecond(entry.at);
  const since = {
    ...before,
    changedAt: at,
    issuer: before.issuer ?? stated?.issuer,
    crlShard: before.crlShard ?? stated?.crlShard,
  };
  // RFC 5280 §5.3.1: a revocation is final. Time and reason are of the first entry with a MAC; anybody may have added one without.
  const isCorrection = proven && !before.isRevocationProven && entry.action === 'certificate.revoked';
  if (before.revokedAt !== null && !isCorrection) return since;
  switch (entry.action) {
    case 'certificate.revoked': {
      const earlier = proven && !before.isHoldProven ? null : before.heldAt;
      const heldAt = earlier ?? toDate(stated?.heldAt);
      const revocationReason = toReason(entry.detail.reason);
      const revokedAt = toDate(stated?.revokedAt) ?? at;
      return { ...since, revokedAt, revocationReason, heldAt, isRevocationProven: proven };
    }
    case 'certificate.held': {
      const earlier = proven && !before.isHoldProven ? null : before.heldAt;
      const heldAt = earlier ?? toDate(stated?.heldAt) ?? at;
      return { ...since, heldAt, isHoldProven: proven || before.isHoldProven };
    }
    case 'certificate.released':
      return { ...since, heldAt: null, isHoldProven: false };
  }
}

/** The role of the database can add entries with any content: none may stop a list or an answer. */
function readDetail(detail: unknown): EntryDetail {
  if (typeof detail !== 'object' || detail === null) return {};
  const { reason, status } = detail as EntryDetail;
  return { ...(reason !== undefined && { reason }), ...(typeof status === 'object' && status && { status }) };
}

function toReason(reason: unknown): RevocationReason {
  return revocationReasons.find((one) => one === reason) ?? 'unspecified';
}

function toDate(text: string | null | undefined): Date | null {
  return typeof text === 'string' ? new Date(text) : null;
}

const earliest = Date.UTC(2000, 0);
const latest = Date.UTC(9999, 0);

/** CRL and OCSP carry whole seconds of four-digit years. */
function wholeSecond(text: string): Date {
  const ms = Math.floor(new Date(text).getTime() / 1_000) * 1_000;
  return new Date(ms >= earliest && ms < latest ? ms : earliest);
}
