-- Wrong one-time codes after a right password, counted for each enrolled app by the id of its factor.
create table operator_code_tally (
  id uuid primary key,
  in_row integer not null default 0,
  -- Times of those of the last day.
  wrong_at jsonb not null default '[]',
  -- Since then no code is compared.
  locked_at timestamptz,
  version integer not null default 1,
  mac text not null default ''
);

-- A row that is taken away, or put back as it once was, would start the count anew. The MAC covers the version. Within a
-- version the MAC alone changes, when the key that makes it does.
create function keep_code_tally() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or new.id <> old.id or new.version < old.version
    or new.version = old.version and (new.in_row, new.wrong_at, new.locked_at)
      is distinct from (old.in_row, old.wrong_at, old.locked_at)
  then
    raise exception 'rows of % only move forward', tg_table_name;
  end if;
  return new;
end $$;
create trigger operator_code_tally_moves_forward before update or delete on operator_code_tally
  for each row execute function keep_code_tally();

-- Language of e-mails to the operator: that of the last link by e-mail.
alter table operator add column language text not null default 'es';
