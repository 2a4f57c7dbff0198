/**
 * Trigger functions that prevent guarded rows from being restored to a former state, MAC included, for migrations of
 * services. Never edit; a change needs a new constant.
 */
export const forwardRowsSql = `
-- Ids that guarded tables have had. The running service has no right to change them. A unique index decides, and no snapshot:
-- a transaction of any isolation sees an id that another one has taken.
create table known_row (
  table_name text not null,
  row_id uuid not null,
  primary key (table_name, row_id)
);

-- The MAC covers the version, so that an older row has a lower one. The same version gets another MAC with another key.
create function keep_row_forward() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or new.id <> old.id or new.version < old.version then
    raise exception 'rows of % only move forward', tg_table_name;
  end if;
  return new;
end $$;

-- For tables whose rows the service deletes: what was deleted does not come back.
create function keep_row_known() returns trigger language plpgsql security definer set search_path from current as $$
begin
  insert into known_row (table_name, row_id) values (tg_table_name, new.id) on conflict do nothing;
  if not found then
    raise exception 'rows of % only move forward: this one was deleted', tg_table_name;
  end if;
  return null;
end $$;
revoke execute on function keep_row_known() from public;
`;
