import type { OwnSession } from '../connection/own-session.ts';
import { FenceLost } from '../lease/fence-lost.ts';
import { tryPreviousLock } from './previous-release.ts';

type Session = Pick<OwnSession, 'query'>;

/** Lock that a session holds until it ends. */
export interface SessionLock {
  readonly name: string;
  /** Increases with each owner. A write under it counts only while no later owner has taken the lock. */
  readonly fence: number;
}

const create = {
  name: 'createLock',
  text: 'insert into named_lock (name) values ($1) on conflict (name) do nothing',
} as const;

/**
 * Takes the lock. Its owner is alive while PostgreSQL lists its session: a process id can recur, but not with the same
 * start. If two see that the owner has gone, the second finds another fence than it has seen. Parameter: name.
 */
const take = {
  name: 'takeLock',
  text: `
with free as materialized (
  select fence from named_lock as lock where name = $1 and not exists (
    select from pg_stat_get_activity(coalesce(lock.session_pid, 0)) as owner
    where owner.backend_start = lock.session_started_at
  )
)
update named_lock as lock set fence = lock.fence + 1, session_pid = own.pid, session_started_at = own.backend_start
from free, pg_stat_get_activity(pg_backend_pid()) as own
where lock.name = $1 and lock.fence = free.fence
returning lock.fence::text as fence`,
} as const;

/** Parameters: name, fence. */
const release = {
  name: 'releaseLock',
  text: `update named_lock set session_pid = null, session_started_at = null where name = $1 and fence = $2::bigint`,
} as const;

const isHeld = {
  name: 'isLockHeld',
  text: 'select 1 from named_lock where name = $1 and fence = $2::bigint',
} as const;

/** Adds the row of the lock if it is missing: once per session, before the first `trySessionLock`. */
export async function createSessionLock(session: Session, name: string): Promise<void> {
  await session.query(create, [name]);
}

/**
 * Takes the lock for the life of the session.
 * @param options.previous name of the corresponding advisory lock of the previous release
 * @returns undefined if another session has it
 */
export async function trySessionLock(
  session: Session,
  { name, previous }: { readonly name: string; readonly previous: string },
): Promise<SessionLock | undefined> {
  const [taken] = await session.query<{ fence: string }>(take, [name]);
  if (taken === undefined) return undefined;
  const lock = { name, fence: Number(taken.fence) };
  const execute = <Row>(text: string, params: readonly unknown[]) => session.query<Row>({ text }, params);
  if (await tryPreviousLock(execute, previous, 'session')) return lock;
  await session.query(release, [name, lock.fence]);
  return undefined;
}

/**
 * Builds SQL of a `with` that has one row while the lock is held under this fence, and keeps it so until the statement
 * commits. Parameters: name and fence of the lock, at the given positions.
 */
export function heldLockSql(position: { readonly name: number; readonly fence: number }): string {
  return `held_lock as materialized (
    select 1 from named_lock where name = $${position.name} and fence = $${position.fence}::bigint for share
  )`;
}

/**
 * Checks that the session still holds the lock.
 * @throws FenceLost
 */
export async function assertLockHeld(session: Session, { name, fence }: SessionLock): Promise<void> {
  if ((await session.query(isHeld, [name, fence])).length > 0) return;
  throw new FenceLost({ table: 'named_lock', key: name, fence });
}
