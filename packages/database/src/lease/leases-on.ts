import { quoteIdentifier } from '../connection/identifiers.ts';
import { type StatementTarget, statement } from '../statement/statement.ts';
import { lease, leaseEnd } from './lease-sql.ts';

/** Lease of a worker: the key of its row, and the fence that each of its later writes names. */
export type Leased<Key extends string> = Readonly<Record<Key, string | number>> & { readonly fence: number };

export interface Leases<Key extends string> {
  /** Extends the lease from now; false if another worker has it or it was released. */
  renew(target: StatementTarget, leased: Leased<Key>, leaseSeconds: number): Promise<boolean>;
  /** Ends the lease, so that the next worker need not wait; false if another worker has it. */
  release(target: StatementTarget, leased: Leased<Key>): Promise<boolean>;
  /**
   * Ends the lease of work that could not start: it does not count as an attempt, and later writes under this fence do
   * not count either.
   */
  giveBack(target: StatementTarget, leased: Leased<Key>): Promise<boolean>;
  /** Renews the lease while `work` runs, however long that is. */
  whileRenewing<Result>(
    target: StatementTarget,
    leased: Leased<Key> & { readonly leaseSeconds: number; readonly everyMs?: number },
    work: () => Promise<Result>,
  ): Promise<Result>;
}

/**
 * Creates the operations on leased rows of a table with `lease_until` and `fence`. The table's own statement takes the
 * lease (`lease.isFree`, `lease.take`).
 * @param options.key as in parameters and objects: `requestId` stands for the column `request_id`
 */
export function createLeases<const Key extends string>(options: {
  table: string;
  key: readonly Key[];
}): Leases<Key> {
  const { renew, release, giveBack } = leaseStatements(options);
  const toParams = (leased: Leased<Key>) => ({
    ...Object.fromEntries(options.key.map((name) => [name, leased[name]])),
    fence: leased.fence,
  });
  const leases: Leases<Key> = {
    async renew(target, leased, leaseSeconds) {
      return (await renew.run(target, { ...toParams(leased), leaseSeconds })).length > 0;
    },
    async release(target, leased) {
      return (await release.run(target, toParams(leased))).length > 0;
    },
    async giveBack(target, leased) {
      return (await giveBack.run(target, toParams(leased))).length > 0;
    },
    async whileRenewing(target, { leaseSeconds, everyMs = (leaseSeconds * 1_000) / 3, ...leased }, work) {
      // A failed renewal leaves the present lease, and the next renewal makes up for it.
      const renewOnce = () => void leases.renew(target, leased as never, leaseSeconds).catch(() => undefined);
      const timer = setInterval(renewOnce, everyMs);
      try {
        return await work();
      } finally {
        clearInterval(timer);
      }
    },
  };
  return leases;
}

interface LeaseParams {
  readonly fence: number;
}

function leaseStatements({ table, key }: { table: string; key: readonly string[] }) {
  const isOurs = [...key.map((name) => `${quoteIdentifier(toColumn(name))} = :${name}`), 'fence = :fence'];
  const change = (columns: string, conditions = isOurs) =>
    `update ${quoteIdentifier(table)} set ${columns} where ${conditions.join(' and ')} returning 1 as done`;
  return {
    renew: statement<LeaseParams & { leaseSeconds: number }>({
      name: `renew-lease-${table}`,
      sql: change(`lease_until = ${leaseEnd}`, [...isOurs, 'lease_until is not null']),
    }),
    release: statement<LeaseParams>({ name: `release-lease-${table}`, sql: change(lease.end) }),
    giveBack: statement<LeaseParams>({
      name: `give-back-lease-${table}`,
      sql: change(`${lease.end}, attempts = greatest(attempts - 1, 0), fence = fence + 1`),
    }),
  };
}

function toColumn(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
