import type { EntityManager } from '@mikro-orm/postgresql';
import { recordAudits } from '@rubrica/audit/log';
import { createLeases, lease } from '@rubrica/database/lease';
import { statement } from '@rubrica/database/statement';
import { fileColumns } from '../evidence-file.ts';
import type { FaultyOutcome, ScrubbedFile } from './judge-evidence.ts';

export const scrubLeases = createLeases({ table: 'evidence_scrub', key: ['id'] });
/** Lease of a batch; after it another copy takes over from one that died. */
export const scrubLeaseSeconds = 60;
/** Files that are read under one lease, and read again after a crash. */
export const batchFiles = 20;

interface DayParams {
  readonly now: Date;
  readonly timeZone: string;
}

export interface TakenScrub {
  readonly id: number;
  readonly fence: number;
  readonly lastId: string;
  /** Instants are text, as raw SQL returns them. */
  readonly beganAt: string;
  readonly dueAt: string;
  readonly read: number;
  /** True if evidence is to be read. */
  readonly isDue: boolean;
  /** True if a day has ended that is not in the audit log yet. */
  readonly isDayOver: boolean;
}

/** SQL condition. The scrub is also due if it would be so only after a whole run: the run was shortened. */
const isDue =
  '(due_at <= :now::timestamptz or due_at > :now::timestamptz + make_interval(days => :days::integer))';
const today = '(:now::timestamptz at time zone :timeZone::text)::date';

/** Takes the lease, for one copy at a time. */
export const takeScrub = statement<
  DayParams & { readonly days: number; readonly leaseSeconds: number },
  TakenScrub
>({
  name: 'take-evidence-scrub',
  sql: `
update evidence_scrub set ${lease.take} where ${lease.isFree} and (${isDue} or day < ${today})
returning id, fence, last_id as "lastId", began_at as "beganAt", due_at as "dueAt", read::float8 as read,
  ${isDue} as "isDue", day < ${today} as "isDayOver"`,
});

const maxFoundPerEntry = 100;

interface ClosedDay {
  readonly day: string;
  readonly part: number;
  readonly sound: number;
  readonly missing: number;
  readonly damaged: number;
  readonly unopenable: number;
  readonly bytes: number;
  readonly found: readonly Readonly<Record<string, unknown>>[];
}

const endDay = statement<DayParams & { readonly id: number; readonly fence: number }, ClosedDay>({
  name: 'close-evidence-scrub-day',
  sql: `
with ours as materialized (select * from evidence_scrub where id = :id and fence = :fence for update),
found as materialized (
  select evidence.request_id, evidence_id, outcome,
    (row_number() over (order by evidence_id) - 1) / ${maxFoundPerEntry} as part
  from ours join evidence_fault on evidence_fault.day = ours.day join evidence on evidence.id = evidence_id
), parts as (
  select part, jsonb_agg(jsonb_build_object('requestId', request_id, 'evidenceId', evidence_id, 'outcome', outcome)) as found
  from found group by part
  union all
  select 0, '[]' where not exists (select from found)
), ended as (
  update evidence_scrub set day = ${today}, sound = 0, missing = 0, damaged = 0, unopenable = 0, bytes = 0
  from ours where evidence_scrub.id = ours.id returning 1
)
select day::text, (part + 1)::integer as part, sound::float8, missing::float8, damaged::float8, unopenable::float8,
  bytes::float8, parts.found
from ours cross join parts where exists (select from ended) order by part`,
});

/** Writes one audit entry for the day that has ended; several if more was found than one entry names. */
export async function closeDay(
  em: EntityManager,
  params: DayParams & { readonly id: number; readonly fence: number },
): Promise<void> {
  const parts = await endDay.run(em, params);
  const toEntry = ({ day, ...counted }: ClosedDay) => ({
    actor: 'service:intake',
    action: 'evidence.scrub',
    target: `evidence:${day}`,
    details: { day, ...counted },
  });
  await recordAudits(em, parts.map(toEntry));
}

const select = `
select evidence.request_id as "requestId", request.evidence_key as "sealedKey", ${fileColumns}
from evidence join request on request.id = evidence.request_id
where evidence.sha256 is not null and request.evidence_key is not null`;

export const nextFiles = statement<{ readonly lastId: string }, ScrubbedFile>({
  name: 'next-evidence-to-scrub',
  sql: `${select} and evidence.id > :lastId::uuid order by evidence.id limit ${batchFiles}`,
});

export const sameFile = statement<{ readonly evidenceId: string }, ScrubbedFile>({
  name: 'evidence-to-scrub-again',
  sql: `${select} and evidence.id = :evidenceId::uuid`,
});

const maxCounted = 100_000;

/** Counts up to 100,000; beyond that it uses PostgreSQL's estimate. */
export const countLeft = statement<
  { readonly lastId: string; readonly read: number },
  { readonly left: number }
>({
  name: 'evidence-left-to-scrub',
  sql: `
select case when counted < ${maxCounted} then counted else greatest(counted, (
    select reltuples::bigint from pg_class where oid = 'evidence'::regclass
  ) - :read::bigint) end::float8 as left
from (select count(*) as counted from (
  select from evidence where id > :lastId::uuid order by id limit ${maxCounted}
) as one) as counted`,
});

interface ScrubResult {
  readonly id: number;
  readonly fence: number;
  readonly now: Date;
  readonly lastId: string;
  readonly beganAt: Date;
  readonly dueAt: Date;
  readonly read: number;
  readonly soundIds: readonly string[];
  readonly faultyIds: readonly string[];
  readonly outcomes: readonly FaultyOutcome[];
  readonly bytes: number;
}

/** A count at the end of its range would fail each write: it stays where it is. */
function countedSql(column: string): string {
  return `least(${column}, 1000000000000000)`;
}

function countSql(outcome: FaultyOutcome): string {
  return `${outcome} = ${countedSql(outcome)} + cardinality(array_positions(:outcomes::text[], '${outcome}'))`;
}

/** Writes under the fence: the position, the findings, and the end of the lease. */
export const writeScrub = statement<ScrubResult, { readonly done: number }>({
  name: 'write-evidence-scrub',
  sql: `
with ours as (
  update evidence_scrub set last_id = :lastId, began_at = :beganAt, due_at = :dueAt, read = :read,
    sound = ${countedSql('sound')} + cardinality(:soundIds::uuid[]), ${countSql('missing')}, ${countSql('damaged')},
    ${countSql('unopenable')}, bytes = ${countedSql('bytes')} + :bytes::bigint, ${lease.end}
  where id = :id and fence = :fence returning day
), mended as (
  delete from evidence_fault using ours where evidence_id = any(:soundIds::uuid[])
), noted as (
  insert into evidence_fault (evidence_id, outcome, found_at, day)
  select evidence.id, faulty.outcome, :now::timestamptz, ours.day
  from unnest(:faultyIds::uuid[], :outcomes::text[]) as faulty (id, outcome)
  join evidence on evidence.id = faulty.id cross join ours
  on conflict (evidence_id) do update set outcome = excluded.outcome, day = excluded.day
)
select 1 as done from ours`,
});
