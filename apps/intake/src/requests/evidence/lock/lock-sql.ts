import { lease } from '@rubrica/database/lease';
import { statement } from '@rubrica/database/statement';

/** Lease of a batch, longer than it may take: after it another copy takes over from one that died. */
export const lockLeaseSeconds = 120;
/** Objects that are processed under one lease. */
export const batchLocks = 20;

/** Remembers a locked copy in the store that no row names: it is removed when its lock allows it. */
export const rememberLocked = statement<{
  readonly objectId: string;
  readonly evidenceId: string;
  readonly retainUntil: Date;
}>({
  name: 'remember-locked-object',
  sql: `
insert into evidence_lock (object_id, evidence_id, retain_until, due_at)
values (:objectId, :evidenceId, :retainUntil, now()) returning 1`,
});

export interface TakenLock {
  readonly objectId: string;
  readonly fence: number;
}

export const takeLocks = statement<{ readonly leaseSeconds: number }, TakenLock>({
  name: 'take-evidence-locks',
  sql: `
update evidence_lock set ${lease.take}
where object_id in (
  select object_id from evidence_lock where due_at <= now() and ${lease.isFree}
  order by due_at limit ${batchLocks} for update skip locked
) returning object_id as "objectId", fence`,
});

export interface FoundLock extends TakenLock {
  /** Number that grows with each request for a check; a result answers the request of this number. */
  readonly asked: number;
  /** Instants are text, as raw SQL returns them. */
  readonly retainUntil: string | null;
  readonly isHeld: boolean;
  readonly isKept: boolean;
  readonly endsAt: string | null;
  readonly isOpen: boolean;
  readonly isUnderLegalHold: boolean;
}

/**
 * Finds the state of the locks. A renewal names the objects of its former request too. The latest end and any
 * legal hold count, and the end is unknown while one of them is open. It runs after the statement of the
 * lease, so that it sees check and request as the same transaction left them.
 */
export const findLocks = statement<
  { readonly objectId: readonly string[]; readonly fence: readonly number[] },
  FoundLock
>({
  name: 'find-evidence-locks',
  sql: `
select object_id as "objectId", evidence_lock.fence, asked, retain_until as "retainUntil", is_held as "isHeld",
  "isKept", "endsAt", "isOpen", "isUnderLegalHold"
from evidence_lock
cross join lateral (
  select count(*) > 0 as "isKept", max(evidence_due_at) as "endsAt",
    coalesce(bool_or(evidence_due_at is null), false) as "isOpen",
    coalesce(bool_or(legal_hold_at is not null), false) as "isUnderLegalHold"
  from evidence join request on request.id = evidence.request_id and evidence_key is not null
  where object is not null and evidence.object ->> 'id' = object_id
) as named
where (object_id, evidence_lock.fence) in (select * from unnest(:objectId::text[], :fence::integer[]))`,
});

interface LockResult extends TakenLock {
  readonly asked: number;
  readonly retainUntil: Date | null;
  readonly isHeld: boolean;
  readonly isErased: boolean;
  readonly hasFailed: boolean;
  readonly lookAt: Date | null;
}

/** Writes the result under the fence. A check that was requested in between remains due. */
export const writeLock = statement<LockResult, { readonly done: number }>({
  name: 'write-evidence-lock',
  sql: `
update evidence_lock set retain_until = :retainUntil::timestamptz, is_held = :isHeld, is_erased = :isErased,
  failing_since = case when :hasFailed::boolean then coalesce(failing_since, now()) end,
  due_at = case when asked = :asked then :lookAt::timestamptz else now() end, ${lease.end}
where object_id = :objectId and fence = :fence returning 1 as done`,
});

export const forgetLock = statement<TakenLock>({
  name: 'forget-evidence-lock',
  sql: 'delete from evidence_lock where object_id = :objectId and fence = :fence returning 1',
});

/** Releases locks that could not be tried: they are as due as before. */
export const releaseLocks = statement<{
  readonly objectId: readonly string[];
  readonly fence: readonly number[];
}>({
  name: 'release-evidence-locks',
  sql: `
update evidence_lock set ${lease.end}
where (object_id, fence) in (select * from unnest(:objectId::text[], :fence::integer[]))`,
});

const walkRows = 500;

/**
 * Reads a part of all evidence, in the order of ids. An object in S3 without a lock gets a row, and a wrong
 * lock is checked again.
 * @returns the last id; nothing at the end
 */
export const walkLocks = statement<{ readonly lastId: string }, { readonly lastId: string }>({
  name: 'walk-evidence-locks',
  sql: `
with page as materialized (
  select evidence.id, evidence_due_at, legal_hold_at is not null as is_held, evidence_key is not null as is_kept,
    case when object ->> 'store' = 's3' and object ->> 'area' = 'kept' then object ->> 'id' end as object_id
  from evidence join request on request.id = evidence.request_id
  where evidence.id > :lastId::uuid order by evidence.id limit ${walkRows}
), adopted as (
  insert into evidence_lock (object_id, evidence_id, due_at)
  select object_id, id, now() from page where object_id is not null and is_kept
  on conflict (object_id) do nothing
), moved as (
  update evidence_lock set due_at = now(), asked = asked + 1 from page
  where evidence_lock.object_id = page.object_id and due_at is null
    and (evidence_lock.is_held <> page.is_held or (is_kept and evidence_due_at is null)
      or evidence_due_at > coalesce(retain_until, now()))
)
select id as "lastId" from page order by id desc limit 1`,
});

const maxCounted = 10_000;

export interface LockCounts {
  readonly erased: number;
  readonly behindSeconds: number;
}

export const countLocks = statement<object, LockCounts>({
  name: 'count-evidence-locks',
  sql: `
select
  (select count(*)::int from (select from evidence_lock where is_erased limit ${maxCounted}) as one) as erased,
  greatest(0, extract(epoch from now() - least(
    (select due_at from evidence_lock where due_at is not null order by due_at limit 1),
    (select failing_since from evidence_lock where failing_since is not null order by failing_since limit 1)
  )))::float8 as "behindSeconds"`,
});
