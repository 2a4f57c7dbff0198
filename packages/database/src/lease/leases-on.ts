import { quoteIdentifier } from '../connection/identifiers.ts';
import { type StatementTarget, statement } from '../statement/statement.ts';
import { lease, leaseEnd } from './lease-sql.ts';

/** What a worker carries along: its row, and the fence that every later write of it names. */
export type Leased<Key extends string> = Readonly<Record<Key, string | number>> & { readonly fence: number };

export interface Leases<Key extends string> {
  /** Prolongs the lease, from now; false where it is another's by now or was given back. */
  renew(target: StatementTarget, leased: Leased<Key>, leaseSeconds: number): Promise<boolean>;
  /** Ends the lease, so that whoever comes next need not wait for it; false where it is another's by now. */
  release(target: StatementTarget, leased: Leased<Key>): Promise<boolean>;
  /** As a release, for what could not be begun: counts as no attempt, and its own writes count no more either. */
  giveBack(target: StatementTarget, leased: Leased<Key>): Promise<boolean>;
  /** Renews the lease as long as `work` runs, however long that is. */
  whileRenewing<Result>(
    target: StatementTarget,
    leased: Leased<Key> & { readonly leaseSeconds: number; readonly everyMs?: number },
    work: () => Promise<Result>,
  ): Promise<Result>;
}

/**
 * What every table with `lease_until` and `fence` has in common once a row is leased. Taking a lease stays with the
 * table's own statement (`lease.isFree`, `lease.take`).
 * @param options.key as parameters and objects name it: `requestId` stands for the column `request_id`
 */
export function leasesOn<const Key extends string>(options: {
  table: string;
  key: readonly Key[];
}): Leases<Key> {
  const { renew, release, giveBack } = leaseStatements(options);
  const paramsOf = (leased: Leased<Key>) => ({
    ...Object.fromEntries(options.key.map((name) => [name, leased[name]])),
    fence: leased.fence,
  });
  const leases: Leases<Key> = {
    async renew(target, leased, leaseSeconds) {
      return (await renew.run(target, { ...paramsOf(leased), leaseSeconds })).length > 0;
    },
    async release(target, leased) {
      return (await release.run(target, paramsOf(leased))).length > 0;
    },
    async giveBack(target, leased) {
      return (await giveBack.run(target, paramsOf(leased))).length > 0;
    },
    async whileRenewing(target, { leaseSeconds, everyMs = (leaseSeconds * 1_000) / 3, ...leased }, work) {
      // A renewal that fails leaves the lease that there is, and is made up for by the next.
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
  const isOurs = [...key.map((name) => `${quoteIdentifier(columnOf(name))} = :${name}`), 'fence = :fence'];
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

function columnOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
