/**
 * Advisory locks of release 0.1.0, which runs at the same time while copies are replaced. Advisory locks belong to the
 * whole database, so any role can hold them: one held by a session of another role is ignored. Delete this file, and
 * the parameters named `previous`, in the release after this one.
 */

type Execute = <Row>(text: string, params: readonly unknown[]) => Promise<Row[]>;

const functions = { session: 'pg_try_advisory_lock', transaction: 'pg_try_advisory_xact_lock' } as const;

const key = 'hashtextextended($1, 0)';

/** A prepared transaction has no session, and we never prepare transactions. */
const lockOwner = `
select (held.pid is null or owner.usename <> current_user) as "isForeign" from pg_locks as held left join pg_stat_activity as owner on owner.pid = held.pid
where held.locktype = 'advisory' and held.granted and held.objsubid = 1
  and held.database = (select oid from pg_database where datname = current_database())
  and held.classid = (${key} >> 32 & 4294967295)::oid and held.objid = (${key} & 4294967295)::oid
order by 1 desc
limit 1`;

/**
 * Takes the lock if it is free, so that the previous release stays idle. If the role may not take it, because no copy
 * of that release runs and roles.sql has revoked the right, the lock is only examined.
 * @returns false if a session of our own role holds it: the previous release is active
 */
export async function tryPreviousLock(
  execute: Execute,
  name: string,
  until: keyof typeof functions,
): Promise<boolean> {
  const [permission] = await execute<{ may: boolean }>(
    `select has_function_privilege('pg_catalog.${functions[until]}(bigint)', 'execute') as may`,
    [],
  );
  if (permission?.may === true) {
    const [row] = await execute<{ held: boolean }>(`select ${functions[until]}(${key}) as held`, [name]);
    if (row?.held === true) return true;
  }
  const [owner] = await execute<{ isForeign: boolean }>(lockOwner, [name]);
  return owner === undefined ? permission?.may !== true : owner.isForeign;
}
