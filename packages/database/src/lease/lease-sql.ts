/** The pieces of a statement that takes or ends leases. */
export interface LeaseSql {
  /** Nobody works on the row, or who did has died. */
  readonly isFree: string;
  /** Takes the row for `:leaseSeconds`; the fence keeps off whoever had it before. */
  readonly take: string;
  /** Gives the row free. */
  readonly end: string;
}

/** When a lease taken now ends: for a row that is leased from the moment it is inserted. */
export const leaseEnd = 'now() + make_interval(secs => :leaseSeconds::float8)';

/** The pieces where a bare column could be another table's: in `on conflict … do update`, name the table's alias. */
export function leaseOf(alias: string): LeaseSql {
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
 * Leases in SQL, on the database's clock: the clocks of the copies need not agree. A statement that takes a lease
 * does it in the same breath as what it is taken for, so that no crash lies between them.
 */
export const lease: LeaseSql = pieces('');

/**
 * The same where a row waits for a time anyway: what is leased is due again when the lease ends, so one column and
 * one index say both when a row is next tried and who has it now.
 */
export const leaseOfDueRow: LeaseSql = {
  isFree: 'due_at <= now()',
  take: `due_at = ${leaseEnd}, fence = fence + 1`,
  end: 'due_at = now()',
};
