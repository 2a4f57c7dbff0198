import { storedEntrySql } from '@rubrica/audit/entries';
import type { Database } from '@rubrica/database/connection';
import type { StoredEntry } from '@rubrica/database/entries';
import type { RowGuard } from '@rubrica/database/guarded';
import { type StatementTarget, statement } from '@rubrica/database/statement';
import { isOwnSerial } from '@rubrica/pki';
import { auditLog } from './audit-log.ts';
import { isOtherRowAudited } from './audited-issuance.ts';
import type { StatusEntry } from './audited-status.ts';
import { type Certifier, matchesIssuance, readIssued } from './issued-certificate.ts';
import {
  deriveFromEvidence,
  findProvenOwner,
  type IssuedEntry,
  isConsistentWithAudit,
  isSuspicious,
  type ProvenStatus,
  trustRow,
} from './proven-status.ts';
import { createStatusEntries, firstStatusEntriesSql } from './status-entries.ts';
import {
  certificateTable,
  type GuardedStatusRow,
  guardedStatusSql,
  statusEntryTable,
} from './status-record.ts';

/** Row and audit entries of one serial number, before judgement. */
export interface StoredStatus {
  readonly serial: string;
  readonly row: GuardedStatusRow | null;
  /** First entries, by `firstStatusEntriesSql`. */
  readonly entries: readonly StatusEntry[];
  /** DER in base64; absent where it was not requested. */
  readonly certificate?: string | null;
}

export interface StatusProof {
  /**
   * Judges a stored status.
   * @returns undefined for a certificate that was never issued, or that nothing proves
   */
  judge(stored: StoredStatus, target?: StatementTarget): Promise<ProvenStatus | undefined>;
  /**
   * Judges many serial numbers in one query; skips invalid ones.
   * @param target transaction that holds the rows
   */
  prove(serials: readonly string[], target?: StatementTarget): Promise<ReadonlyMap<string, ProvenStatus>>;
  /**
   * Returns, with an alarm, whether the audit log knows a certificate of that serial number or request. Called where no
   * row proves one: the row was altered or removed.
   */
  isLost(name: { readonly serial: string } | { readonly requestId: string }): Promise<boolean>;
  /** Returns whether the audit log names another row as the certificate of that request and serial number. */
  isIssuedOtherwise(named: {
    readonly id: string;
    readonly requestId: string;
    readonly serial: string;
  }): Promise<boolean>;
  /** Takes authority, list and expiry from the certificates: a stolen key file can create the MAC of any row. */
  proveByCertificate(serials: readonly string[]): Promise<ReadonlyMap<string, ProvenStatus>>;
}

export interface StatusProofDeps {
  readonly database: Pick<Database, 'statement' | 'entries'>;
  readonly rows: Pick<RowGuard, 'isIntact' | 'hasMac' | 'reportFailed'>;
  /** Read again for each proof: authorities are added while the service runs. */
  readonly issuers: { readonly all: readonly Certifier[] };
}

// Returns one row for all: thousands of small objects would outlive a page of a list.
const findStored = statement<
  { serials: readonly string[]; withDer: boolean },
  { stored: readonly StoredStatus[] }
>({
  name: 'stored-status',
  sql: `
select coalesce(jsonb_agg(jsonb_build_object('serial', asked.serial,
  'row', case when c.id is not null then ${guardedStatusSql('c')} end,
  'entries', ${firstStatusEntriesSql('asked.serial')},
  'certificate', case when :withDer::boolean then encode(c.der, 'base64') end)), '[]') as stored
from unnest(:serials::text[]) as asked (serial) left join certificate as c on c.serial = asked.serial`,
});

const findDer = statement<{ id: string }, { der: Buffer }>({
  name: 'der-of-certificate',
  sql: 'select der from certificate where id = :id',
});

// Selects by serial number alone: the request in the row may be altered.
const findIssued = statement<{ serial: string }, IssuedEntry>({
  name: 'audited-issuance',
  sql: `
select ${storedEntrySql(auditLog.table, 'audit_entry')} as entry, request_id as "requestId",
  detail ->> 'issuer' as issuer, detail ->> 'partnerId' as "partnerId" from audit_entry
where serial = :serial and action = 'certificate.issued' order by sequence limit 100`,
});

const findIssuedFor = statement<{ requestId: string }, { entry: StoredEntry }>({
  name: 'issued-by-request',
  sql: `
select ${storedEntrySql(auditLog.table, 'audit_entry')} as entry from audit_entry
where request_id = :requestId and action = 'certificate.issued' order by sequence limit 100`,
});

/** Returns whether copies of the previous release may write; rows without a MAC are then theirs. */
const findMixed = statement<Record<never, never>, { isMixed: boolean }>({
  name: 'is-fleet-mixed',
  sql: 'select coalesce(bool_or(now() < ends_at), false) as "isMixed" from audit_upgrade',
});

/** Action of the entry after which each release from hold has a MAC. The first such entry counts. */
export const guardedFromAction = 'certificates.guarded';
const findGuardedFrom = statement<Record<never, never>, { sequence: string | null }>({
  name: 'status-guarded-from',
  sql: `select min(sequence)::text as sequence from audit_entry where action = '${guardedFromAction}'`,
});

/**
 * Creates the proof. A row is trusted with a MAC and a version not below that of the append-only audit log. For every
 * other row the audit log states the status, and the signature of the certificate proves its issuance.
 */
export function createStatusProof({ database, rows, issuers }: StatusProofDeps): StatusProof {
  const guard = database.entries;
  let guardedFrom: number | null = null;
  const loadGuardedFrom = async (target: StatementTarget) => {
    if (guardedFrom === null) {
      const [found] = await findGuardedFrom.run(target, {});
      guardedFrom = found?.sequence == null ? null : Number(found.sequence);
    }
    return guardedFrom;
  };
  const statusEntries = createStatusEntries({
    isProven: (serial, entry) =>
      rows.hasMac(statusEntryTable.name, entryRow(serial, entry)) || guard.hasMac(entry.entry),
  });
  const readDer = async ({ row, certificate }: StoredStatus, target: StatementTarget) => {
    if (typeof certificate === 'string') return readIssued(Buffer.from(certificate, 'base64'), issuers.all);
    const [found] = row === null ? [] : await findDer.run(target, { id: row.id });
    return found && readIssued(found.der, issuers.all);
  };
  /** Loads the issuance from the audit log, preferably from an entry with a MAC. */
  const loadIssuance = async ({ serial }: StoredStatus, target: StatementTarget) => {
    const found = await findIssued.run(target, { serial });
    return found.find(({ entry }) => guard.hasMac(entry)) ?? found.find(({ entry }) => guard.counts(entry));
  };
  const reportInvalidSerial = (serial: string) => {
    rows.reportFailed({ table: statusEntryTable.name, id: `of serial number ${serial.slice(0, 40)}` });
    return false;
  };
  const judge: StatusProof['judge'] = async (stored, target = database) => {
    const { serial, row, entries } = stored;
    const guardedFrom = entries.length > 0 ? await loadGuardedFrom(target) : null;
    const audited = await statusEntries.fold({ serial, entries, guardedFrom }, target);
    if (
      row !== null &&
      row.version >= audited.version &&
      isConsistentWithAudit(row, audited) &&
      isMacIntact(rows, row)
    ) {
      if (stored.certificate === undefined) return trustRow(row, audited);
      const certificate = await readDer(stored, target);
      if (certificate !== undefined && matchesIssuance(certificate, row)) return trustRow(row, audited);
    }
    for (const { sequence } of audited.unproven)
      rows.reportFailed({ table: statusEntryTable.name, id: String(sequence) });
    const issued = await readDer(stored, target);
    const proven = deriveFromEvidence({ serial, row, audited, issued });
    const issuance = await loadIssuance(stored, target);
    const [fleet] = row?.mac === null ? await findMixed.run(target, {}) : [];
    const owner = findProvenOwner(row, issuance, fleet?.isMixed ?? false);
    const status = proven && { ...proven, issuer: proven.issuer ?? issuance?.issuer ?? undefined, owner };
    const isLate = row?.mac === null && fleet?.isMixed !== true && !audited.hasUnguarded;
    if (isLate || isSuspicious(row, audited, status)) {
      rows.reportFailed({ table: certificateTable.name, id: row?.id ?? serial });
    }
    return status;
  };
  const prove = async (serials: readonly string[], withDer: boolean, target: StatementTarget) => {
    const requested = serials.filter((serial) => isOwnSerial(serial) || reportInvalidSerial(serial));
    const [found] =
      requested.length === 0 ? [] : await findStored.run(target, { serials: requested, withDer });
    const proven = new Map<string, ProvenStatus>();
    for (const { certificate = null, ...stored } of found?.stored ?? []) {
      const status = await judge(withDer ? { ...stored, certificate } : stored, target);
      if (status !== undefined) proven.set(stored.serial, status);
    }
    return proven;
  };
  return {
    judge,
    prove: (serials, target = database) => prove(serials, false, target),
    isIssuedOtherwise: (named) => isOtherRowAudited(database, named),
    async isLost(name) {
      const isOfSerial = 'serial' in name;
      if (isOfSerial && !isOwnSerial(name.serial)) return false;
      const found = await (isOfSerial ? findIssued.run(database, name) : findIssuedFor.run(database, name));
      if (!found.some(({ entry }) => guard.counts(entry))) return false;
      const id = isOfSerial ? `of serial number ${name.serial}` : `of request ${name.requestId}`;
      rows.reportFailed({ table: certificateTable.name, id });
      return true;
    },
    proveByCertificate: (serials) => prove(serials, true, database),
  };
}

function entryRow(serial: string, { action, detail: { status, reason } }: StatusEntry) {
  return {
    id: status?.id,
    version: status?.version,
    mac: status?.mac,
    serial,
    action,
    revoked_at: status?.revokedAt,
    revocation_reason: action === 'certificate.revoked' ? reason : null,
    held_at: status?.heldAt,
  };
}

/** Verifies the MAC. A row without one is judged by its time: a copy of the previous release may have written it. */
function isMacIntact(rows: Pick<RowGuard, 'isIntact'>, row: GuardedStatusRow): boolean {
  return row.mac !== null && rows.isIntact(certificateTable.name, { ...row });
}
