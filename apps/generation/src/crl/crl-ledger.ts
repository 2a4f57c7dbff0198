import type { ShownRevocationReason } from '@rubrica/contracts/shared/enumerations';
import type { Database } from '@rubrica/database';

/** A CRL that this copy alone may sign now, under a number that no other CRL of its issuer's shard will have. */
export interface LeasedCrl {
  readonly issuer: string;
  readonly shard: number;
  readonly fence: number;
  readonly number: number;
  /** Changes of status that had been written when it was leased. */
  readonly changes: number;
  /** Of the CRL that is served until now; null for the first. */
  readonly previousThisUpdate: Date | null;
  /** The database's clock, in whole seconds: copies agree on it. */
  readonly now: Date;
}

export interface RevokedEntry {
  readonly serial: string;
  readonly at: Date;
  readonly reason: ShownRevocationReason;
}

export interface SignedCrl {
  readonly der: Uint8Array;
  readonly thisUpdate: Date;
  readonly nextUpdate: Date;
  /** When the next one is signed though nothing has changed. */
  readonly renewAt: Date;
}

export interface ServedCrl {
  readonly der: Uint8Array;
  readonly thisUpdate: Date;
  readonly nextUpdate: Date;
}

export interface CrlLedger {
  /** Makes the rows of CRLs that certificates may name from now on. Safe to repeat. */
  ensure(issuers: readonly string[], shards: readonly number[]): Promise<void>;
  /** The next CRL that has something new to say, or grows old. @param issuers those whose keys this copy has */
  lease(issuers: readonly string[], leaseSeconds: number): Promise<LeasedCrl | undefined>;
  /** Certificates that are revoked or held and had not expired at `since`. */
  entries(crl: { issuer: string; shard: number }, since: Date): Promise<RevokedEntry[]>;
  /** @returns false when another copy has leased it since: nothing was written */
  store(leased: LeasedCrl, signed: SignedCrl): Promise<boolean>;
  served(issuer: string, shard: number): Promise<ServedCrl | undefined>;
}

const ensure = `
insert into crl (issuer, shard) select issuer, shard from unnest($1::text[]) as issuer, unnest($2::integer[]) as shard
on conflict do nothing`;

// The number is taken here, before anything is signed under it: a crash wastes it, and no two CRLs ever share it.
const lease = `
with due as (
  select issuer, shard from crl
  where issuer = any($1) and (lease_until is null or lease_until < now())
    and (changes > signed_changes or renew_at is null or renew_at <= now())
  order by changes > signed_changes desc, renew_at nulls first
  limit 1 for update skip locked
)
update crl set lease_until = now() + make_interval(secs => $2::float8), fence = fence + 1, last_number = last_number + 1
from due where crl.issuer = due.issuer and crl.shard = due.shard
returning crl.issuer, crl.shard, fence, last_number as number, changes, this_update as previous,
  date_trunc('second', now()) as now`;

const entries = `
select serial, coalesce(held_at, revoked_at) as at, coalesce(revocation_reason, 'certificateHold') as reason
from certificate
where issuer = $1 and crl_shard = $2 and (revoked_at is not null or held_at is not null) and not_after > $3`;

const store = `
update crl set number = $4, der = $5, this_update = $6, next_update = $7, renew_at = $8, signed_changes = $9,
  lease_until = null
where issuer = $1 and shard = $2 and fence = $3 returning 1 as done`;

const served = `
select der, this_update as "thisUpdate", next_update as "nextUpdate" from crl
where issuer = $1 and shard = $2 and der is not null`;

interface LeaseRow {
  readonly issuer: string;
  readonly shard: number;
  readonly fence: number;
  readonly number: string;
  readonly changes: string;
  readonly previous: string | null;
  readonly now: string;
}

/** The CRLs in the service's database: all copies serve the same. */
export function createCrlLedger(database: Pick<Database, 'statement'>): CrlLedger {
  return {
    async ensure(issuers, shards) {
      await database.statement({ name: 'ensure-crls', text: ensure, params: [issuers, shards] });
    },
    async lease(issuers, leaseSeconds) {
      const params = [issuers, leaseSeconds];
      const [row] = await database.statement<LeaseRow>({ name: 'lease-crl', text: lease, params });
      if (row === undefined) return undefined;
      const { issuer, shard, fence, number, changes, previous, now } = row;
      return {
        issuer,
        shard,
        fence,
        number: Number(number),
        changes: Number(changes),
        previousThisUpdate: previous === null ? null : new Date(previous),
        now: new Date(now),
      };
    },
    async entries({ issuer, shard }, since) {
      const rows = await database.statement<Omit<RevokedEntry, 'at'> & { at: string }>({
        name: 'crl-entries',
        text: entries,
        params: [issuer, shard, since],
      });
      return rows.map(({ serial, at, reason }) => ({ serial, at: new Date(at), reason }));
    },
    async store({ issuer, shard, fence, number, changes }, { der, thisUpdate, nextUpdate, renewAt }) {
      const leased = [issuer, shard, fence];
      const params = [...leased, number, Buffer.from(der), thisUpdate, nextUpdate, renewAt, changes];
      return (await database.statement({ name: 'store-crl', text: store, params })).length > 0;
    },
    async served(issuer, shard) {
      const [row] = await database.statement<{ der: Buffer; thisUpdate: string; nextUpdate: string }>({
        name: 'served-crl',
        text: served,
        params: [issuer, shard],
      });
      if (row === undefined) return undefined;
      return { der: row.der, thisUpdate: new Date(row.thisUpdate), nextUpdate: new Date(row.nextUpdate) };
    },
  };
}
