import { type StatementTarget, statement } from '@rubrica/database';
import { askLocks } from '../request/evidence/lock/ask-locks.ts';
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

/** `chosen` selects the ids, and locks the rows where nobody else has. */
function erasing(level: Level, chosen: string, requested: string): string {
  return `
with chosen as (${chosen}),
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
  insert into audit (at, actor, action, target, reason, details)
  select :now::timestamptz, :actor::text, 'requests.erase', 'request:' || id, :reason::text,
    jsonb_build_object('level', :level::text) from erased
)
select id from erased`;
}

const due = `
  select id from request where evidence_due_at <= :now::timestamptz and legal_hold_at is null
  order by evidence_due_at limit ${batchRows} for update skip locked`;
const named = 'select unnest(:requestIds::uuid[]) as id';

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
const eraseWhatIsDue = statement<Erasure>({ name: 'erase-due', sql: erasing(levels.all, due, '') });
const eraseWhatIsNamed = {
  all: statement<EraseNamed>({ name: 'erase-all', sql: erasing(levels.all, named, requestedNow) }),
  secrets: statement<EraseNamed>({
    name: 'erase-secrets',
    sql: erasing(levels.secrets, named, requestedNow),
  }),
} as const;

export const eraseDueBatch = batchRows;

/** Erases what is due by `now`, in one statement of at most `eraseDueBatch` requests. */
export function eraseDue(target: StatementTarget, now: Date): Promise<unknown[]> {
  const why = { actor: 'service:intake', reason: 'the retention has ended' };
  return eraseWhatIsDue.run(target, { ...why, level: 'all', now });
}

export async function eraseNamed(target: StatementTarget, erasure: EraseNamed): Promise<void> {
  await eraseWhatIsNamed[erasure.level].run(target, erasure);
}
