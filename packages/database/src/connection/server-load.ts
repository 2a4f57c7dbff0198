import type { SqlRunner } from './sql-runner.ts';

/** Load of one role on resources that all roles of a PostgreSQL server share. */
export interface RoleLoad {
  readonly role: string;
  /** Entries in the server's table of locks. */
  readonly locks: number;
  /** Age of the oldest snapshot, in transactions. Rows deleted since then cannot be vacuumed. */
  readonly snapshotAge: number;
}

// Functions instead of the views over them, whose tables would be locked: the query answers while the table of locks is
// full.
const sql = `
select pg_get_userbyid(session.usesysid)::text as role, coalesce(sum(held.locks), 0)::int as locks,
  coalesce(max(age(session.backend_xmin)), 0)::int as "snapshotAge"
from pg_stat_get_activity(null) as session
left join (select pid, count(*) as locks from pg_lock_status() group by pid) as held on held.pid = session.pid
where session.usesysid <> 0
group by session.usesysid`;

/** Reads the load of every role of the server, in all databases. */
export function readServerLoad(database: Pick<SqlRunner, 'execute'>): Promise<RoleLoad[]> {
  return database.execute<RoleLoad>(sql);
}
