-- The file and password of a certificate are sealed with a public key, which proves nothing of who has sealed them. They are
-- written with the certificate, whose row has a MAC, and destroyed; nothing takes their place.
create function keep_bundle() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or new.certificate_id <> old.certificate_id
    or new.sealed is not null and new.sealed is distinct from old.sealed
  then
    raise exception 'rows of % only move forward', tg_table_name;
  end if;
  return new;
end $$;
create trigger bundle_moves_forward before update or delete on bundle
  for each row execute function keep_bundle();
