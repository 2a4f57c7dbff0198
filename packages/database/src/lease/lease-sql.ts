/** Parts of a statement that takes or ends leases. */
export interface LeaseSql {
  /** Condition that no worker has the row, or its worker has died. */
  readonly isFree: string;
  /** Assignment that leases the row for `:leaseSeconds`; the fence excludes the previous worker. */
  readonly take: string;
  /** Assignment that frees the row. */
  readonly end: string;
}

/** End of a lease taken now: for a row that is leased when it is inserted. */
export const leaseEnd = 'now() + make_interval(secs => :leaseSeconds::float8)';

/**
 * Builds the parts for a statement where a bare column could belong to another table: in `on conflict … do update`,
 * pass the table's alias.
 */
export function leaseWithAlias(alias: string): LeaseSql {
  return pieces(`${alias}.`);
}

function pieces(prefix: string): LeaseSql {
  return {
    isFree: `(${prefix}lease_until is null or ${prefix}lease_until < now())`,
    take: `lease_until = ${leaseEnd}, fence = ${prefix}fence + 1`,
    end: 'lease_until = null',
  };
}

/**
 * Parts for leases on the database's clock: the clocks of the copies need not agree. A statement leases the row in the
 * same step in which it selects its work, so that no crash can separate the two.
 */
export const lease: LeaseSql = pieces('');

/**
 * Parts for rows that wait for a time anyway. A leased row is due again when the lease ends, so one column and one
 * index serve both the next attempt and the lease.
 */
export const dueRowLease: LeaseSql = {
  isFree: 'due_at <= now()',
  take: `due_at = ${leaseEnd}, fence = fence + 1`,
  end: 'due_at = now()',
};
