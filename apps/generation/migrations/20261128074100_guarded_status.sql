-- MAC over what decides the status of a certificate and over a stored OCSP answer. Null: written by a copy of the previous
-- release, or past the service; such a row is believed only as far as its DER and the audit log prove it.
alter table certificate add column mac text;
alter table ocsp_answer add column mac text;

-- A copy of the previous release leaves the MAC of the row as it was before. Null says so without an alarm.
create function clear_stale_mac() returns trigger language plpgsql as $$
begin
  if new.mac is not distinct from old.mac then
    new.mac := null;
  end if;
  return new;
end $$;
create trigger certificate_stale_mac
  before update of revoked_at, revocation_reason, held_at, status_version on certificate
  for each row execute function clear_stale_mac();
create trigger ocsp_answer_stale_mac
  before update of der, status_version, this_update, next_update on ocsp_answer
  for each row execute function clear_stale_mac();
