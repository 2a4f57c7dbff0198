/**
 * Table of the locks of one schema, for a migration of every service with a database: see README.md. Never edit; a
 * change is a new piece.
 */
export const namedLockSql = `
create table named_lock (
  name text primary key,
  fence bigint not null default 0,
  session_pid integer,
  session_started_at timestamptz
);
`;
