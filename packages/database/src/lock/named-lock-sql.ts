/**
 * Keeps fences from running out, for a migration after `namedLockSql`: the running service increments a fence by one.
 * Set to the largest number, it would stop relay and audit chain until the schema's owner resets it. Never edit.
 */
export const fenceInStepSql = `
create function keep_fence_in_step() returns trigger language plpgsql as $$
declare
  last bigint := 0;
begin
  if (select pg_catalog.pg_has_role(relowner, 'usage') from pg_catalog.pg_class where oid = tg_relid) then
    return new;
  end if;
  if tg_op = 'UPDATE' then
    last := old.fence;
  end if;
  if new.fence not between last and last + 1 then
    raise exception 'fences of % move forward one by one', tg_table_name;
  end if;
  return new;
end $$;
create trigger named_lock_fence_in_step before insert or update on named_lock
  for each row execute function keep_fence_in_step();
`;

/**
 * Table of the locks of one schema, for a migration of every service with a database: see README.md. Never edit; a
 * change needs a new constant.
 */
export const namedLockSql = `
create table named_lock (
  name text primary key,
  fence bigint not null default 0,
  session_pid integer,
  session_started_at timestamptz
);
`;
