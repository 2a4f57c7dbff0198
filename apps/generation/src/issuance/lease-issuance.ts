import { storedEntrySql } from '@rubrica/audit/entries';
import type { Database } from '@rubrica/database/connection';
import type { StoredEntry } from '@rubrica/database/entries';
import { createLeases, leaseEnd, leaseWithAlias } from '@rubrica/database/lease';
import { statement } from '@rubrica/database/statement';
import { auditLog } from '../certificate/audit-log.ts';

/** One attempt that intake ordered. */
export interface IssuanceJob {
  readonly requestId: string;
  readonly attempt: number;
}

/** Leased attempt; every later write carries the fence. */
export interface LeasedIssuance extends IssuanceJob {
  readonly fence: number;
  /** Starts so far, including this one; reveals work that repeatedly kills its worker. */
  readonly starts: number;
  /** Attempts of this request that failed before. */
  readonly earlierFailures: number;
}

export type LeaseOutcome =
  | { kind: 'leased'; issuance: LeasedIssuance }
  /** The request already has a certificate from another attempt; revoked or not, it never gets another. */
  | { kind: 'certified'; issuance: LeasedIssuance; certificateId: string }
  /** Another worker holds the lease, or died with it. */
  | { kind: 'busy' }
  | { kind: 'finished'; state: 'ISSUED' | 'FAILED' | 'OBSOLETE' }
  /** The audit log has a certificate of the request, but its row is missing. */
  | { kind: 'gone' };

interface LeaseRow {
  readonly fence: number | null;
  readonly starts: number;
  readonly state: 'PENDING' | 'ISSUED' | 'FAILED' | 'OBSOLETE' | null;
  readonly failures: number;
  readonly certificate: string | null;
  /** Entries of a certificate of the request whose row is missing; null where there are none. */
  readonly gone: readonly StoredEntry[] | null;
}

const leaseSql = leaseWithAlias('i');

// Earlier releases issued another certificate to a request whose certificate was revoked.
const certificate = `(select id from certificate where request_id = :requestId
    order by revoked_at is not null, issued_at desc limit 1)`;
// Rows can be deleted; entries of the audit log cannot.
const issuedEntries = `(select jsonb_agg(${storedEntrySql(auditLog.table, 'audit_entry')}) from audit_entry
    where request_id = :requestId::uuid and action = 'certificate.issued')`;

// One statement creates the row or takes it over. The row is also the inbox of this consumer: a redelivered job finds
// how it ended. The same statement abandons what the earlier worker left unfinished.
const take = statement<IssuanceJob & { leaseSeconds: number; passesOver: boolean }, LeaseRow>({
  name: 'lease-issuance',
  groupCommit: true,
  sql: `
with lost as materialized (
  select issued, ${certificate} is null and issued is not null and not :passesOver::boolean as is_gone
  from (select ${issuedEntries} as issued) as logged
), leased as (
  insert into issuance as i (request_id, attempt, lease_until, fence, attempts)
  select :requestId::uuid, :attempt::integer, ${leaseEnd}, 1, 1 from lost where not is_gone
  on conflict (request_id, attempt) do update
    set ${leaseSql.take}, attempts = i.attempts + 1 where i.state = 'PENDING' and ${leaseSql.isFree}
  returning fence, attempts
), abandoned as (
  update serial_number set state = 'ABANDONED'
  where request_id = :requestId and attempt = :attempt and state in ('RESERVED', 'INTENDED')
    and exists (select from leased)
)
select (select fence from leased) as fence,
  (select attempts from leased) as starts,
  (select state from issuance where request_id = :requestId and attempt = :attempt) as state,
  (select count(*)::integer from issuance where request_id = :requestId and state = 'FAILED') as failures,
  ${certificate} as certificate, (select issued from lost where is_gone) as gone`,
});

/** Leases of attempts, for ending a lease without ending the attempt. */
export const issuanceLeases = createLeases({ table: 'issuance', key: ['requestId', 'attempt'] });

async function takeRow(database: Pick<Database, 'statement'>, params: Parameters<typeof take.run>[1]) {
  const [row] = await take.run(database, params);
  if (row === undefined) throw new Error('a lease gives one row');
  return row;
}

/** Leases an attempt for `leaseSeconds` on the database's clock. */
export async function leaseIssuance(
  database: Pick<Database, 'statement' | 'entries'>,
  { requestId, attempt }: IssuanceJob,
  leaseSeconds: number,
): Promise<LeaseOutcome> {
  const job = { requestId, attempt, leaseSeconds };
  let row = await takeRow(database, { ...job, passesOver: false });
  const isGone = row.gone?.some(database.entries.counts) ?? false;
  // An entry that this service did not write does not block the request's certificate.
  if (row.gone !== null && !isGone) row = await takeRow(database, { ...job, passesOver: true });
  const { fence, starts, failures, certificate: certificateId, state } = row;
  if (fence === null) {
    if (state !== null && state !== 'PENDING') return { kind: 'finished', state };
    return isGone ? { kind: 'gone' } : { kind: 'busy' };
  }
  const issuance = { requestId, attempt, fence, starts, earlierFailures: failures };
  return certificateId === null
    ? { kind: 'leased', issuance }
    : { kind: 'certified', issuance, certificateId };
}
