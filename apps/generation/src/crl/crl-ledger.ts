import type { ShownRevocationReason } from '@rubrica/contracts/shared/enumerations';
import { type Database, lease, statement } from '@rubrica/database';

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

/** A piece of the CRL that is served. */
export interface ServedCrl {
  readonly piece: Uint8Array;
  /** Of the whole. */
  readonly octets: number;
  readonly number: number;
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
  served(crl: Shard, piece: { from: number; octets: number }): Promise<ServedCrl | undefined>;
}

interface Shard {
  readonly issuer: string;
  readonly shard: number;
}

const ensureRows = statement<{ issuers: readonly string[]; shards: readonly number[] }>({
  name: 'ensure-crls',
  sql: `
insert into crl (issuer, shard)
select issuer, shard from unnest(:issuers::text[]) as issuer, unnest(:shards::integer[]) as shard
on conflict do nothing`,
});

interface LeaseRow extends Shard {
  readonly fence: number;
  readonly number: string;
  readonly changes: string;
  readonly previous: string | null;
  readonly now: string;
}

// The number is taken here, before anything is signed under it: a crash wastes it, and no two CRLs ever share it.
const take = statement<{ issuers: readonly string[]; leaseSeconds: number }, LeaseRow>({
  name: 'lease-crl',
  sql: `
with due as (
  select issuer, shard from crl
  where issuer = any(:issuers) and ${lease.isFree}
    and (changes > signed_changes or renew_at is null or renew_at <= now())
  order by changes > signed_changes desc, renew_at nulls first
  limit 1 for update skip locked
)
update crl set ${lease.take}, last_number = last_number + 1
from due where crl.issuer = due.issuer and crl.shard = due.shard
returning crl.issuer, crl.shard, fence, last_number as number, changes, this_update as previous,
  date_trunc('second', now()) as now`,
});

// Shard 0 is the complete list, whatever shard a certificate names.
const findEntries = statement<
  Shard & { since: Date },
  Pick<RevokedEntry, 'serial' | 'reason'> & { readonly at: string }
>({
  name: 'crl-entries',
  sql: `
select serial, coalesce(held_at, revoked_at) as at, coalesce(revocation_reason, 'certificateHold') as reason
from certificate
where issuer = :issuer and (:shard = 0 or crl_shard = :shard) and (revoked_at is not null or held_at is not null)
  and not_after > :since`,
});

const storeSigned = statement<Pick<LeasedCrl, keyof Shard | 'fence' | 'number' | 'changes'> & SignedCrl>({
  name: 'store-crl',
  sql: `
update crl set number = :number, der = :der, this_update = :thisUpdate, next_update = :nextUpdate,
  renew_at = :renewAt, signed_changes = :changes, ${lease.end}
where issuer = :issuer and shard = :shard and fence = :fence returning 1 as done`,
});

const findServed = statement<
  Shard & { from: number; octets: number },
  { piece: Buffer; octets: number; number: string; thisUpdate: string; nextUpdate: string }
>({
  name: 'served-crl',
  sql: `
select substring(der from :from::integer + 1 for :octets::integer) as piece, octet_length(der) as octets, number,
  this_update as "thisUpdate", next_update as "nextUpdate" from crl
where issuer = :issuer and shard = :shard and der is not null`,
});

/** The CRLs in the service's database: all copies serve the same. */
export function createCrlLedger(database: Pick<Database, 'statement'>): CrlLedger {
  return {
    async ensure(issuers, shards) {
      await ensureRows.run(database, { issuers, shards });
    },
    async lease(issuers, leaseSeconds) {
      const [row] = await take.run(database, { issuers, leaseSeconds });
      return row && toLeased(row);
    },
    async entries({ issuer, shard }, since) {
      const rows = await findEntries.run(database, { issuer, shard, since });
      return rows.map(({ serial, at, reason }) => ({ serial, at: new Date(at), reason }));
    },
    async store(leased, signed) {
      const rows = await storeSigned.run(database, { ...leased, ...signed, der: Buffer.from(signed.der) });
      return rows.length > 0;
    },
    async served({ issuer, shard }, { from, octets }) {
      const [row] = await findServed.run(database, { issuer, shard, from, octets });
      if (row === undefined) return undefined;
      const { piece, number } = row;
      return {
        piece,
        octets: row.octets,
        number: Number(number),
        thisUpdate: new Date(row.thisUpdate),
        nextUpdate: new Date(row.nextUpdate),
      };
    },
  };
}

function toLeased({ number, changes, previous, now, ...row }: LeaseRow): LeasedCrl {
  return {
    ...row,
    number: Number(number),
    changes: Number(changes),
    previousThisUpdate: previous === null ? null : new Date(previous),
    now: new Date(now),
  };
}
