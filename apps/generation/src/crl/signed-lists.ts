import { type Database, guardedSqlTable, type RowGuard, statement } from '@rubrica/database';
import { type CrlFile, crlName } from '../certificate/crl-shard.ts';

/** Revocation list as its audit entry states it: `id` is its name, `version` its number. */
export const signedListTable = guardedSqlTable('crl', [
  'octets',
  'thisUpdate',
  'nextUpdate',
  'sha256',
  'isBase',
  'changes',
  'leasedAt',
]);

/** A revocation list that this service signed and stored. */
export interface SignedList {
  readonly number: number;
  readonly octets: number;
  readonly thisUpdate: Date;
  readonly nextUpdate: Date;
  /** Digest of all its octets, hexadecimal. */
  readonly sha256: string;
  /** A complete list that names a delta. */
  readonly isBase: boolean;
  /** Changes of status that it contains, by the counter of its issuer. */
  readonly changes: number;
  /** Everything committed before is in it. */
  readonly leasedAt: Date;
}

export interface SignedLists {
  /** The list with the highest number; undefined where none was signed, or by earlier releases alone. */
  latest(list: CrlFile): Promise<SignedList | undefined>;
  numbered(list: CrlFile, number: number): Promise<SignedList | undefined>;
  /** Detail of the audit entry of a list, JSON. */
  toDetail(list: CrlFile, signed: SignedList): string;
}

interface ListEntry {
  readonly octets: number;
  readonly thisUpdate: string;
  readonly nextUpdate: string;
  readonly sha256: string;
  readonly isBase: boolean;
  readonly changes: number;
  readonly leasedAt: string;
  readonly mac: string;
}
interface EntryRow {
  readonly number: string;
  readonly detail: ListEntry;
}

const batchRows = 20;

const findEntries = statement<{ target: string; from: string; most: string }, EntryRow>({
  name: 'signed-crls',
  sql: `
select (detail ->> 'number')::bigint as number, detail from audit_entry
where action = 'crl.signed' and detail ->> 'target' = :target
  and (detail ->> 'number')::bigint between :from::bigint and :most::bigint
order by (detail ->> 'number')::bigint desc limit ${batchRows}`,
});

const greatest = '9223372036854775807';

/**
 * Lists by their audit entries, which nobody takes back: an older list that is put into the tables again is told by its number.
 * Each entry has a MAC, since the role of the database can add entries.
 */
export function createSignedLists(
  database: Pick<Database, 'statement'>,
  rows: Pick<RowGuard, 'protect' | 'hasMac'>,
): SignedLists {
  const find = async (list: CrlFile, from: string, below: string): Promise<SignedList | undefined> => {
    const target = toTarget(list);
    let most = below;
    for (;;) {
      const found = await findEntries.run(database, { target, from, most });
      const proven = found.find((row) => isProven(rows, list, row));
      if (proven !== undefined) return toSigned(proven);
      const last = found.at(-1);
      if (last === undefined || found.length < batchRows) return undefined;
      most = String(BigInt(last.number) - 1n);
    }
  };
  return {
    latest: (list) => find(list, '0', greatest),
    numbered: (list, number) => find(list, String(number), String(number)),
    toDetail(list, signed) {
      const { mac } = rows.protect(signedListTable.name, { ...signed, id: crlName(list) }, signed.number);
      return JSON.stringify({ target: toTarget(list), ...signed, mac });
    },
  };
}

function toTarget(list: CrlFile): string {
  return `crl:${crlName(list)}`;
}

function isProven(rows: Pick<RowGuard, 'hasMac'>, list: CrlFile, { number, detail }: EntryRow): boolean {
  return rows.hasMac(signedListTable.name, {
    ...{ id: crlName(list), version: Number(number), mac: detail.mac },
    ...{ octets: detail.octets, this_update: detail.thisUpdate, next_update: detail.nextUpdate },
    ...{ sha256: detail.sha256, is_base: detail.isBase, changes: detail.changes, leased_at: detail.leasedAt },
  });
}

function toSigned({ number, detail }: EntryRow): SignedList {
  const { octets, sha256, isBase, changes } = detail;
  return {
    number: Number(number),
    ...{ octets, sha256, isBase, changes },
    thisUpdate: new Date(detail.thisUpdate),
    nextUpdate: new Date(detail.nextUpdate),
    leasedAt: new Date(detail.leasedAt),
  };
}
