-- Enrolled factors of each operator, so that one whose row is deleted is missed. The id is that of the operator.
create table operator_factor_mark (
  id uuid primary key,
  factor_ids jsonb not null,
  version integer not null default 1,
  mac text not null default ''
);

-- The MAC covers the version: a mark that is taken away, or put back as it once was, would hide what is missing.
create function keep_factor_mark() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or new.id <> old.id or new.version <= old.version then
    raise exception 'rows of % only move forward', tg_table_name;
  end if;
  return new;
end $$;
create trigger operator_factor_mark_moves_forward before update or delete on operator_factor_mark
  for each row execute function keep_factor_mark();
