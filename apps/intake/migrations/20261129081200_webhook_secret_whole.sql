-- Whose a webhook secret is, and until when it signs, does not change within a version: given to another partner for a while and put
-- back, its MAC fits again, and the rotation in between would have passed it over.
create function keep_secret_whole() returns trigger language plpgsql as $$
begin
  if new.version = old.version
    and (new.partner_id <> old.partner_id or new.expires_at is distinct from old.expires_at)
  then
    raise exception 'rows of % only move forward', tg_table_name;
  end if;
  return new;
end $$;
create trigger webhook_secret_keeps_whole before update on webhook_secret
  for each row execute function keep_secret_whole();
