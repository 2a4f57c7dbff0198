-- Numbers that a revocation counts up: set to the greatest there is, one of them would keep every certificate from being revoked.
-- The running service moves them forward step by step, and nothing else does.
create function keep_list_numbers() returns trigger language plpgsql as $$
declare
  last bigint := 0;
  known bigint := 0;
begin
  if (select pg_catalog.pg_has_role(relowner, 'usage') from pg_catalog.pg_class where oid = tg_relid) then
    return new;
  end if;
  if tg_op = 'UPDATE' then
    last := old.last_number;
    known := old.changes;
  end if;
  if new.last_number > last + 1000 or new.changes > known + 1000 then
    raise exception 'numbers of % move forward step by step', tg_table_name;
  end if;
  return new;
end $$;
create trigger crl_numbers_in_step before insert or update on crl for each row execute function keep_list_numbers();
