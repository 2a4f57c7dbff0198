import type { EntryMac } from '@rubrica/database/entries';
import { lease } from '@rubrica/database/lease';
import { emitting, type OutboxParams } from '@rubrica/database/outbox';
import { statement } from '@rubrica/database/statement';

/** Attempt and the lease under which it is written. */
export interface FencedAttempt {
  readonly requestId: string;
  readonly attempt: number;
  readonly fence: number;
}

/** Values of the audit entry; `detail` is JSON. */
interface AuditedParams extends EntryMac {
  readonly detail: string;
}

const isOurs = `request_id = :requestId and attempt = :attempt and fence = :fence and state = 'PENDING'`;
const isLeased = `exists (select from issuance where ${isOurs})`;

function endSql(change: string): string {
  return `
  leased as (
    update issuance set ${change}, ${lease.end}, finished_at = now() where ${isOurs} returning request_id
  )`;
}

const abandonSql = `
  abandoned as (
    update serial_number set state = 'ABANDONED'
    where request_id = :requestId and attempt = :attempt and state in ('RESERVED', 'INTENDED')
      and exists (select from leased)
  )`;

/**
 * Builds SQL that writes `AuditedParams`; the MAC of the entry covers these values.
 * @param serial SQL of the entry's serial number
 */
function auditSql(action: string, serial: ':serial::text' | 'null'): string {
  return `
  audited as (
    insert into audit_entry (action, actor, request_id, attempt, serial, detail, entry_id, mac)
    select '${action}', 'service:generation', :requestId, :attempt, ${serial}, :detail::jsonb, :entryId::uuid, :entryMac
    from leased
  )`;
}

const doneColumn = '1 as done';

/** Reserves a serial number. Returns no row where a certificate has the number, even if its own row is missing. */
export const reserveSerial = statement<FencedAttempt & { serial: string }>({
  name: 'reserve-serial',
  groupCommit: true,
  sql: `
    insert into serial_number (serial, request_id, attempt, fence)
    select :serial, :requestId::uuid, :attempt::integer, :fence::integer where ${isLeased}
      and not exists (select from certificate where serial = :serial) returning 1 as done`,
});

export const storeIntent = statement<FencedAttempt & AuditedParams & { serial: string; tbs: Buffer }>({
  name: 'store-intent',
  groupCommit: true,
  sql: `
    with leased as (
      update serial_number set state = 'INTENDED', tbs = :tbs, intended_at = now()
      where serial = :serial and state = 'RESERVED' and ${isLeased} returning serial
    ), ${auditSql('certificate.intended', ':serial::text')}
    select ${doneColumn} from leased`,
});

/** Stored values of a certificate and its bundle. */
interface IssuedParams extends FencedAttempt, OutboxParams, AuditedParams {
  readonly partnerId: string;
  readonly certificateId: string;
  readonly serial: string;
  readonly issuer: string;
  readonly crlShard: number;
  readonly profile: string;
  readonly keyAlgorithm: string;
  readonly certifiedName: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly requestedNotAfter: Date;
  readonly cappedBy: string | null;
  readonly der: Buffer;
  readonly issuedAt: Date;
  readonly truncated: readonly string[];
  readonly searchTerms: readonly string[];
  readonly searchName: string;
  /** MAC of the columns that decide the status of the certificate. */
  readonly statusMac: string;
  readonly sealedBundle: string;
  readonly bundleRetentionDays: number;
  readonly keepDays: number | null;
  readonly deliverDays: number | null;
}

export const recordIssued = statement<IssuedParams>({
  name: 'record-issued',
  groupCommit: true,
  emits: true,
  sql: `
    with ${endSql(`state = 'ISSUED', certificate_id = :certificateId`)},
    certified as (
      insert into certificate (id, request_id, partner_id, attempt, serial, issuer, profile, key_algorithm, subject,
        not_before, not_after, requested_not_after, capped_by, der, issued_at, truncated, crl_shard, mac)
      select :certificateId, :requestId, :partnerId, :attempt, :serial, :issuer, :profile, :keyAlgorithm, :certifiedName,
        :notBefore, :notAfter, :requestedNotAfter, :cappedBy, :der, :issuedAt, :truncated::text[],
        :crlShard::integer, :statusMac from leased
      returning id, issued_at
    ), found_by as (
      insert into certificate_word (word, issued_at, certificate_id, name)
      select unnest(:searchTerms::text[]), issued_at, id, :searchName::text from certified
    ), bundled as (
      insert into bundle (certificate_id, sealed, purge_at, keep_until, deliver_until)
      select :certificateId, :sealedBundle, now() + make_interval(days => :bundleRetentionDays),
        now() + make_interval(days => :keepDays::integer), now() + make_interval(days => :deliverDays::integer)
      from leased
    ), used as (
      delete from serial_number where serial = :serial and exists (select from leased)
    ), ${auditSql('certificate.issued', ':serial::text')}
    ${emitting({ from: 'leased', gives: doneColumn })}`,
});

export const recordFailed = statement<FencedAttempt & OutboxParams & AuditedParams & { code: string }>({
  name: 'record-failed',
  groupCommit: true,
  emits: true,
  sql: `
    with ${endSql(`state = 'FAILED', code = :code`)}, ${abandonSql},
    ${auditSql('certificate.refused', 'null')}
    ${emitting({ from: 'leased', gives: doneColumn })}`,
});

export const recordObsolete = statement<FencedAttempt & AuditedParams>({
  name: 'record-obsolete',
  groupCommit: true,
  sql: `
    with ${endSql(`state = 'OBSOLETE'`)}, ${abandonSql},
    ${auditSql('certificate.obsolete', 'null')}
    select ${doneColumn} from leased`,
});
