-- A number of a list is below the seconds since 1970: whatever number the row or the audit log has, the next one is free.
create or replace function keep_list_numbers() returns trigger language plpgsql as $$
declare
  known bigint := 0;
begin
  if (select pg_catalog.pg_has_role(relowner, 'usage') from pg_catalog.pg_class where oid = tg_relid) then
    return new;
  end if;
  if tg_op = 'UPDATE' then
    known := old.changes;
  end if;
  if new.last_number > extract(epoch from pg_catalog.clock_timestamp()) or new.changes > known + 1000 then
    raise exception 'numbers of % move forward step by step', tg_table_name;
  end if;
  return new;
end $$;
