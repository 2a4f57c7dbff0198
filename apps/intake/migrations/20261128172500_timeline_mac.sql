-- MAC over an entry that names a person or a reason, by a key that the database never sees. Null in other entries, and in those
-- of the release before.
alter table timeline add column mac text;
-- An erasure takes the reason away; nothing gives an entry another one.
create function keep_timeline_reason() returns trigger language plpgsql as $$
begin
  if new.reason is not null and new.reason is distinct from old.reason then
    raise exception 'rows of % only move forward', tg_table_name;
  end if;
  return new;
end $$;
create trigger timeline_reason_moves_forward before update of reason on timeline
  for each row execute function keep_timeline_reason();
