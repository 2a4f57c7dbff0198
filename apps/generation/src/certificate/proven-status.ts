import type { StoredEntry } from '@rubrica/database/entries';
import type { AuditedStatus } from './audited-status.ts';
import { matchesIssuance, type VerifiedIssuance } from './issued-certificate.ts';
import type { StatusFields } from './status-fields.ts';
import type { GuardedStatusRow } from './status-record.ts';

/** Certificate status proven by row, audit log and certificate together. */
export interface ProvenStatus extends Required<StatusFields> {
  /** Undefined where the row is missing. */
  readonly id: string | undefined;
  readonly serial: string;
  /** Stored row; null where it is missing. */
  readonly row: GuardedStatusRow | null;
  /** Undefined where nothing proves it. */
  readonly issuer: string | undefined;
  readonly crlShard: number | undefined;
  readonly statusVersion: number;
  /** Time of the last change. */
  readonly changedAt: Date | null;
  /** True if this service wrote the row last. */
  readonly isAuthentic: boolean;
  /** Partner and request, where row or audit log prove them. */
  readonly owner: CertificateOwner | undefined;
}

export interface CertificateOwner {
  readonly partnerId: string;
  readonly requestId: string;
}

/** Audit entry of an issuance. */
export interface IssuedEntry {
  readonly entry: StoredEntry;
  readonly requestId: string;
  readonly issuer: string | null;
  /** Null in entries of earlier releases. */
  readonly partnerId: string | null;
}

/** Latest possible date: the expiry of a certificate without a row is unknown. */
const noEnd = new Date('9999-12-31T00:00:00Z');

/**
 * Returns the proven owner. The row's own owner counts while copies of the previous release may have written it, unless
 * the audit log states another.
 */
export function findProvenOwner(
  row: GuardedStatusRow | null,
  issuance: IssuedEntry | undefined,
  isMixed: boolean,
): CertificateOwner | undefined {
  if (issuance?.partnerId != null) return { partnerId: issuance.partnerId, requestId: issuance.requestId };
  if (row === null || row.mac !== null || !isMixed) return undefined;
  return { partnerId: row.partner_id, requestId: row.request_id };
}

/**
 * Returns whether the row withdraws everything that the append-only log does, on the same lists. Required whatever its
 * MAC and version are.
 */
export function isConsistentWithAudit(row: GuardedStatusRow, audited: AuditedStatus): boolean {
  const { revokedAt, heldAt, issuer = row.issuer, crlShard = row.crl_shard } = audited;
  if (row.issuer !== issuer || row.crl_shard !== crlShard) return false;
  if (row.revoked_at !== null)
    return revokedAt === null || isRevokedAs(row, { revokedAt, reason: audited.revocationReason });
  return revokedAt === null && (heldAt === null || row.held_at !== null);
}

/** Maximum difference between row and entry; previous releases wrote them at slightly different times. */
const maxDifferenceMs = 5_000;

/** Compares time and reason of the revocation: a stolen key file can create the MAC of a row with other values. */
function isRevokedAs(
  row: GuardedStatusRow,
  { revokedAt, reason }: { readonly revokedAt: Date; readonly reason: AuditedStatus['revocationReason'] },
): boolean {
  const differenceMs = Math.abs((toDate(row.revoked_at)?.getTime() ?? 0) - revokedAt.getTime());
  return differenceMs <= maxDifferenceMs && (reason === null || row.revocation_reason === reason);
}

export function trustRow(row: GuardedStatusRow, audited: AuditedStatus): ProvenStatus {
  const owner = { partnerId: row.partner_id, requestId: row.request_id };
  return {
    ...toStatusFields(row),
    ...toIdentity(row),
    row,
    changedAt: audited.changedAt,
    isAuthentic: true,
    owner,
  };
}

function toIdentity({ id, serial, issuer, crl_shard: crlShard, version: statusVersion }: GuardedStatusRow) {
  return { id, serial, issuer, crlShard, statusVersion };
}

export function toStatusFields(row: GuardedStatusRow): Required<StatusFields> {
  return {
    notAfter: new Date(row.not_after),
    revokedAt: toDate(row.revoked_at),
    revocationReason: row.revocation_reason,
    heldAt: toDate(row.held_at),
  };
}

function toDate(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}

interface Evidence {
  readonly serial: string;
  readonly row: GuardedStatusRow | null;
  readonly audited: AuditedStatus;
  readonly issued: VerifiedIssuance | undefined;
}

/**
 * Returns the highest version that the audit log allows. Each change has an entry, so an attacker wrote a row above it.
 */
function highestVersion({ version, unprovenCount }: AuditedStatus): number {
  return version + unprovenCount;
}

/**
 * Derives the status without an authentic row. The audit log alone proves a revocation; "good" also requires our
 * certificate.
 */
export function deriveFromEvidence({
  serial,
  row,
  audited,
  issued,
}: Evidence): Omit<ProvenStatus, 'owner'> | undefined {
  const isOurs = issued !== undefined && issued.serial === serial;
  const { revokedAt, revocationReason, heldAt, changedAt } = audited;
  if (!isOurs && revokedAt === null && heldAt === null) return undefined;
  return {
    id: row?.id,
    serial,
    row,
    issuer: isOurs ? issued.issuer : audited.issuer,
    crlShard:
      audited.crlShard ??
      (isOurs && row !== null && matchesIssuance(issued, row) ? row.crl_shard : undefined),
    notAfter: isOurs ? issued.notAfter : noEnd,
    ...{ revokedAt, revocationReason, heldAt, changedAt },
    statusVersion: Math.max(audited.version, Math.min(row?.version ?? 1, highestVersion(audited))),
    isAuthentic: false,
  };
}

/** Returns whether the row is suspicious. A row of the previous release lacks only its MAC. */
export function isSuspicious(
  row: GuardedStatusRow | null,
  audited: AuditedStatus,
  status: ProvenStatus | undefined,
): boolean {
  if (row === null) return audited.version > 1;
  if (row.mac !== null || status === undefined) return true;
  if (status.issuer !== undefined && status.issuer !== row.issuer) return true;
  if (status.owner !== undefined && !isOwnedBy(row, status.owner)) return true;
  const stored = toStatusFields(row);
  return (
    row.version < audited.version ||
    row.version > highestVersion(audited) ||
    !isSameInstant(stored.heldAt, status.heldAt) ||
    !isSameInstant(stored.revokedAt, status.revokedAt) ||
    stored.revocationReason !== status.revocationReason
  );
}

function isOwnedBy(row: GuardedStatusRow, { partnerId, requestId }: CertificateOwner): boolean {
  return row.partner_id === partnerId && row.request_id === requestId;
}

/** Maximum clock difference: entries of earlier releases have the time of the database, rows that of the service. */
const maxClockDifferenceMs = 60_000;

function isSameInstant(left: Date | null, right: Date | null): boolean {
  if (left === null || right === null) return left === right;
  return Math.abs(left.getTime() - right.getTime()) <= maxClockDifferenceMs;
}
