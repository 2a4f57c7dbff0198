import type { Database } from '@rubrica/database';

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
  | { kind: 'finished'; state: 'ISSUED' | 'FAILED' | 'OBSOLETE' };

// One statement creates the row or takes it over. The row is the inbox of this consumer as well: a job that comes
// again finds how it ended. Whatever the earlier worker left half done is abandoned in the same statement.
const text = `
with leased as (
  insert into issuance as i (request_id, attempt, lease_until, fence, attempts)
  values ($1, $2, now() + make_interval(secs => $3::float8), 1, 1)
  on conflict (request_id, attempt) do update
    set lease_until = excluded.lease_until, fence = i.fence + 1, attempts = i.attempts + 1
    where i.state = 'PENDING' and (i.lease_until is null or i.lease_until < now())
  returning fence, attempts
), abandoned as (
  update serial_number set state = 'ABANDONED'
  where request_id = $1 and attempt = $2 and state in ('RESERVED', 'INTENDED') and exists (select from leased)
)
select (select fence from leased) as fence,
  (select attempts from leased) as starts,
  (select state from issuance where request_id = $1 and attempt = $2) as state,
  (select count(*)::integer from issuance where request_id = $1 and state = 'FAILED') as failures,
  (select id from certificate where request_id = $1 and revoked_at is null) as live`;

interface Row {
  readonly fence: number | null;
  readonly starts: number;
  readonly state: 'PENDING' | 'ISSUED' | 'FAILED' | 'OBSOLETE' | null;
  readonly failures: number;
  readonly live: string | null;
}

/** Leases an attempt for `leaseSeconds` on the database's clock. */
export async function leaseIssuance(
  database: Pick<Database, 'statement'>,
  { requestId, attempt }: IssuanceJob,
  leaseSeconds: number,
): Promise<LeaseOutcome> {
  const params = [requestId, attempt, leaseSeconds];
  const [row] = await database.statement<Row>({ name: 'lease-issuance', text, params });
  if (row === undefined) throw new Error('a lease gives one row');
  const { fence, starts, failures, live, state } = row;
  if (fence === null) {
    return state === null || state === 'PENDING' ? { kind: 'busy' } : { kind: 'finished', state };
  }
  const issuance = { requestId, attempt, fence, starts, earlierFailures: failures };
  return live === null ? { kind: 'leased', issuance } : { kind: 'certified', issuance, certificateId: live };
}
