-- A session that has ended, or whose refresh token was used up, is not put back as it was. The MAC covers the version: within
-- one the MAC alone changes, when the key that makes it does. Rows are forgotten once the session is over by its time.
create function keep_operator_session() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.expires_at > now() then
      raise exception 'rows of % are kept until they expire', tg_table_name;
    end if;
    return old;
  end if;
  if (new.id, new.created_at, new.expires_at) is distinct from (old.id, old.created_at, old.expires_at)
    or old.ended_at is not null and new.ended_at is null
    or new.version < old.version
    or new.version = old.version and to_jsonb(new) - 'mac' is distinct from to_jsonb(old) - 'mac'
  then
    raise exception 'rows of % only move forward', tg_table_name;
  end if;
  return new;
end $$;
create trigger operator_session_moves_forward before update or delete on operator_session
  for each row execute function keep_operator_session();
