import type { EntityManager } from '@mikro-orm/postgresql';
import { type Database, findEntryGuard, insertEntriesSql, protectEntry, statement } from '@rubrica/database';
import { askLocks } from '../evidence/lock/ask-locks.ts';
import { erasedColumns, personalTables, secretColumns, secretTables } from './personal-data.ts';

const batchRows = 200;

/** Who is to be told of a change to a request's retention; reads `changed`. */
export function orderPeers(changed: string): string {
  return `
  insert into retention_order (request_id, peer)
  select ${changed}.id, peer from ${changed} cross join (values ('generation'), ('notifier')) as peers (peer)`;
}

interface Level {
  readonly columns: Readonly<Record<string, string>>;
  readonly tables: Readonly<Record<string, string>>;
}

const levels = {
  /** All that is personal. */
  all: {
    columns: { ...erasedColumns, erased_at: ':now', evidence_due_at: 'null' },
    // What is locked in the store goes when its lock allows.
    tables: { ...personalTables, evidence_lock: askLocks('erased') },
  },
  /** Passwords, links and messages; what proves the authority's checks stays. */
  secrets: { columns: secretColumns, tables: secretTables },
} as const satisfies Record<string, Level>;
export type EraseLevel = keyof typeof levels;

function erasing(level: Level, requested: string): string {
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
told as (${orderPeers('erased')}),
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

export interface EraseNamed extends Erasure {
  /** Locked by the caller, ended, under no legal hold. */
  readonly requestIds: readonly string[];
}

const requestedNow = 'erase_requested_at = :now,';
type Erasing = Pick<EraseNamed, 'requestIds' | 'now'> & {
  /** Audit entries, JSON. */
  readonly entries: string;
};
const eraseWhatIsDue = statement<Erasing>({ name: 'erase-due', sql: erasing(levels.all, '') });
const eraseWhatIsNamed = {
  all: statement<Erasing>({ name: 'erase-all', sql: erasing(levels.all, requestedNow) }),
  secrets: statement<Erasing>({ name: 'erase-secrets', sql: erasing(levels.secrets, requestedNow) }),
} as const;

export const eraseDueBatch = batchRows;

/** Erases what is due by `now`, in one transaction of at most `eraseDueBatch` requests. */
export function eraseDue(database: Pick<Database, 'transaction'>, now: Date): Promise<unknown[]> {
  const why = { actor: 'service:intake', reason: 'the retention has ended', level: 'all' } as const;
  return database.transaction(async (em) => {
    const requestIds = (await findDue.run(em, { now })).map(({ id }) => id);
    if (requestIds.length === 0) return [];
    return eraseWhatIsDue.run(em, toErasing(em, { ...why, requestIds, now }));
  });
}

export async function eraseNamed(em: EntityManager, erasure: EraseNamed): Promise<void> {
  await eraseWhatIsNamed[erasure.level].run(em, toErasing(em, erasure));
}

function toErasing(em: EntityManager, { requestIds, actor, reason, level, now }: EraseNamed): Erasing {
  const guard = findEntryGuard(em);
  const entries = requestIds.map((id) =>
    protectEntry(guard, {
      ...{ actor, action: 'requests.erase', target: `request:${id.toLowerCase()}`, reason },
      details: { level },
    }),
  );
  return { requestIds, now, entries: JSON.stringify(entries) };
}
