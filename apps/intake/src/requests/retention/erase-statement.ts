import type { EntityManager } from '@mikro-orm/postgresql';
import { insertEntriesSql, protectEntry } from '@rubrica/audit/log';
import type { Database } from '@rubrica/database/connection';
import { findEntryGuard } from '@rubrica/database/entries';
import { statement } from '@rubrica/database/statement';
import { requestLockCheckSql } from '../evidence/lock/request-lock-check.ts';
import { erasedColumns, personalTables, secretColumns, secretTables } from './personal-data.ts';

const batchRows = 200;

/**
 * Returns SQL that orders a message to each peer about a change to a request's retention; reads `changed`.
 */
export function orderPeersSql(changed: string): string {
  return `
  insert into retention_order (request_id, peer)
  select ${changed}.id, peer from ${changed} cross join (values ('generation'), ('notifier')) as peers (peer)`;
}

interface Level {
  readonly columns: Readonly<Record<string, string>>;
  readonly tables: Readonly<Record<string, string>>;
}

const levels = {
  /** Everything personal. */
  all: {
    columns: { ...erasedColumns, erased_at: ':now', evidence_due_at: 'null' },
    // Evidence that is locked in the store is deleted once its lock allows.
    tables: { ...personalTables, evidence_lock: requestLockCheckSql('erased') },
  },
  /** Passwords, links and messages; the proof of the authority's checks stays. */
  secrets: { columns: secretColumns, tables: secretTables },
} as const satisfies Record<string, Level>;
export type EraseLevel = keyof typeof levels;

function buildEraseSql(level: Level, requested: string): string {
  return `
with chosen as (select unnest(:requestIds::uuid[]) as id),
erased as (
  update request set ${Object.entries(level.columns)
    .map(([name, value]) => `${name} = ${value}`)
    .join(', ')}, ${requested} retention_version = retention_version + 1, version = version + 1
  from chosen where request.id = chosen.id returning request.id
), ${Object.entries(level.tables)
    .map(([name, sql]) => `of_${name} as (${sql})`)
    .join(', ')},
told as (${orderPeersSql('erased')}),
audited as (
  ${insertEntriesSql({ entries: ':entries', where: `exists (select from erased where entry.target = 'request:' || id)` })}
)
select id from erased`;
}

const findDue = statement<{ readonly now: Date }, { readonly id: string }>({
  name: 'find-due-erasures',
  sql: `
  select id from request where evidence_due_at <= :now::timestamptz and legal_hold_at is null
  order by evidence_due_at limit ${batchRows} for update skip locked`,
});

interface Erasure {
  readonly level: EraseLevel;
  readonly actor: string;
  readonly reason: string;
  readonly now: Date;
}

export interface RequestErasure extends Erasure {
  /** Requests that the caller has locked, that ended and are under no legal hold. */
  readonly requestIds: readonly string[];
}

const setRequestedSql = 'erase_requested_at = :now,';
type EraseParams = Pick<RequestErasure, 'requestIds' | 'now'> & {
  /** Audit entries as JSON. */
  readonly entries: string;
};
const eraseDueRequests = statement<EraseParams>({ name: 'erase-due', sql: buildEraseSql(levels.all, '') });
const eraseRequestsByLevel = {
  all: statement<EraseParams>({ name: 'erase-all', sql: buildEraseSql(levels.all, setRequestedSql) }),
  secrets: statement<EraseParams>({
    name: 'erase-secrets',
    sql: buildEraseSql(levels.secrets, setRequestedSql),
  }),
} as const;

export const eraseBatchRows = batchRows;

/** Erases what is due by `now`, in one transaction of at most `eraseBatchRows` requests. */
export function eraseDue(database: Pick<Database, 'transaction'>, now: Date): Promise<unknown[]> {
  const cause = { actor: 'service:intake', reason: 'the retention has ended', level: 'all' } as const;
  return database.transaction(async (em) => {
    const requestIds = (await findDue.run(em, { now })).map(({ id }) => id);
    if (requestIds.length === 0) return [];
    return eraseDueRequests.run(em, toEraseParams(em, { ...cause, requestIds, now }));
  });
}

export async function eraseLockedRequests(em: EntityManager, erasure: RequestErasure): Promise<void> {
  await eraseRequestsByLevel[erasure.level].run(em, toEraseParams(em, erasure));
}

function toEraseParams(
  em: EntityManager,
  { requestIds, actor, reason, level, now }: RequestErasure,
): EraseParams {
  const guard = findEntryGuard(em);
  const entries = requestIds.map((id) =>
    protectEntry(guard, {
      ...{ actor, action: 'requests.erase', target: `request:${id.toLowerCase()}`, reason },
      details: { level },
    }),
  );
  return { requestIds, now, entries: JSON.stringify(entries) };
}
