import type { Statement } from '@rubrica/database';
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
    columns: { ...erasedColumns, erased_at: '$1', evidence_due_at: 'null' },
    tables: personalTables,
  },
  /** Passwords, links and messages; what proves the authority's checks stays. */
  secrets: { columns: secretColumns, tables: secretTables },
} as const satisfies Record<string, Level>;
export type EraseLevel = keyof typeof levels;

/** $1 the time, $2 the actor, $3 the reason; `chosen` selects the ids, and locks the rows where nobody else has. */
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
  select $1::timestamptz, $2::text, 'requests.erase', 'request:' || id, $3::text,
    jsonb_build_object('level', $4::text) from erased
)
select id from erased`;
}

const due = `
  select id from request where evidence_due_at <= $1::timestamptz and legal_hold_at is null
  order by evidence_due_at limit ${batchRows} for update skip locked`;
const named = 'select unnest($5::uuid[]) as id';

const texts = {
  due: erasing(levels.all, due, ''),
  all: erasing(levels.all, named, 'erase_requested_at = $1,'),
  secrets: erasing(levels.secrets, named, 'erase_requested_at = $1,'),
} as const;

/** Erases what is due by `now`, in one statement of at most `batchRows` requests. */
export function eraseDueStatement(now: Date): Statement {
  return {
    name: 'erase-due',
    text: texts.due,
    params: [now, 'service:intake', 'the retention has ended', 'all'],
  };
}
export const eraseDueBatch = batchRows;

export interface EraseNamed {
  readonly level: EraseLevel;
  /** Locked by the caller, ended, under no legal hold. */
  readonly requestIds: readonly string[];
  readonly actor: string;
  readonly reason: string;
  readonly now: Date;
}

export function eraseNamedStatement({ level, requestIds, actor, reason, now }: EraseNamed): Statement {
  return {
    name: `erase-${level}`,
    text: texts[level],
    params: [now, actor, reason, level, requestIds],
  };
}
