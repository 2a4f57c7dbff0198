import { type Database, leaseEnd, leaseOf, leasesOn, statement } from '@rubrica/database';

/** One attempt that intake ordered. */
export interface IssuanceJob {
  readonly requestId: string;
  readonly attempt: number;
}

/** A leased attempt: every later write carries the fence. */
export interface LeasedIssuance extends IssuanceJob {
  readonly fence: number;
  /** Starts so far, this one included: work that keeps killing its worker shows here. */
  readonly starts: number;
  /** Attempts of this request that failed before. */
  readonly earlierFailures: number;
}

export type LeaseOutcome =
  | { kind: 'leased'; issuance: LeasedIssuance }
  /** The request has a live certificate already, from another attempt. */
  | { kind: 'certified'; issuance: LeasedIssuance; certificateId: string }
  /** Another worker has the lease, or died with it. */
  | { kind: 'busy' }
  | { kind: 'finished'; state: 'ISSUED' | 'FAILED' | 'OBSOLETE' }
  /** The audit log has a certificate of this attempt, whose row is gone. */
  | { kind: 'gone' };

interface LeaseRow {
  readonly fence: number | null;
  readonly starts: number;
  readonly state: 'PENDING' | 'ISSUED' | 'FAILED' | 'OBSOLETE' | null;
  readonly failures: number;
  readonly live: string | null;
  readonly isGone: boolean;
}

const earlier = leaseOf('i');

const live = '(select id from certificate where request_id = :requestId and revoked_at is null)';
// Rows can be deleted, and entries of the audit log cannot.
const isGone = `${live} is null and exists (select from audit_entry
    where request_id = :requestId::uuid and attempt = :attempt::integer and action = 'certificate.issued')`;

// One statement creates the row or takes it over. The row is the inbox of this consumer as well: a job that comes
// again finds how it ended. Whatever the earlier worker left half done is abandoned in the same statement.
const take = statement<IssuanceJob & { leaseSeconds: number }, LeaseRow>({
  name: 'lease-issuance',
  groupCommit: true,
  sql: `
with lost as materialized (select ${isGone} as is_gone), leased as (
  insert into issuance as i (request_id, attempt, lease_until, fence, attempts)
  select :requestId::uuid, :attempt::integer, ${leaseEnd}, 1, 1 from lost where not is_gone
  on conflict (request_id, attempt) do update
    set ${earlier.take}, attempts = i.attempts + 1 where i.state = 'PENDING' and ${earlier.isFree}
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
  ${live} as live, (select is_gone from lost) as "isGone"`,
});

/** An attempt that is leased: to end the lease without ending the attempt. */
export const issuanceLeases = leasesOn({ table: 'issuance', key: ['requestId', 'attempt'] });

/** Leases an attempt for `leaseSeconds` on the database's clock. */
export async function leaseIssuance(
  database: Pick<Database, 'statement'>,
  { requestId, attempt }: IssuanceJob,
  leaseSeconds: number,
): Promise<LeaseOutcome> {
  const [row] = await take.run(database, { requestId, attempt, leaseSeconds });
  if (row === undefined) throw new Error('a lease gives one row');
  const { fence, starts, failures, live, state } = row;
  if (fence === null) {
    if (state !== null && state !== 'PENDING') return { kind: 'finished', state };
    return row.isGone ? { kind: 'gone' } : { kind: 'busy' };
  }
  const issuance = { requestId, attempt, fence, starts, earlierFailures: failures };
  return live === null ? { kind: 'leased', issuance } : { kind: 'certified', issuance, certificateId: live };
}
