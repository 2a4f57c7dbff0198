-- Migrations since release 0.1.0, in the order in which they run.

-- migration 20261125090000_spent_intents
-- The bytes that were to be signed are in the certificate once it stands, and the audit entry has their digest: a number keeps
-- them only until then. `not valid`: the rows there are need not be read, and what is written is held against it all the same.
alter table serial_number drop constraint serial_number_intent,
  add constraint serial_number_intent check (state <> 'INTENDED' or tbs is not null) not valid;

-- How far the sweeper is that clears what was kept before. It walks twice, as copies of the release before write on while the
-- first of this one clear; then the row goes.
create table spent_intents (
  walks_left integer primary key default 2,
  through text not null default '',
  due_at timestamptz not null default now()
);
insert into spent_intents default values;

-- migration 20261125110000_vacuum_of_large_tables
-- As of intake's requests: what is read by an index alone is vacuumed long before a fifth of it is new. Each serial number is
-- written three times, and most of what it took in between is free when its certificate stands.
alter table certificate_word set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.01);
alter table certificate set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.01);
alter table serial_number set (autovacuum_vacuum_scale_factor = 0.02);

-- migration 20261126080000_certificate_by_issuance
-- without transaction
-- As of intake's requests: in the order in which certificates come, so that pages are filled, not split in halves.
create index concurrently if not exists certificate_by_issuance on certificate (issued_at, id);

-- migration 20261126080100_certificate_newest
-- without transaction
-- `certificate_by_issuance` finds the same.
drop index concurrently if exists certificate_newest;

-- migration 20261126210000_issued_numbers
-- A number is its certificate's once that stands, in a unique column there; its own row says nothing more and goes. Rows of
-- copies of the release before, and those kept until now, go with the sweeper: it walks twice again.
alter table certificate drop constraint certificate_serial_fkey;
insert into spent_intents select where not exists (select from spent_intents);
update spent_intents set walks_left = 2, through = '', due_at = now();

-- migration 20261128074100_guarded_status
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

-- migration 20261128074200_audit_entry_status
-- without transaction
-- The status of a certificate as the audit log has it.
create index concurrently if not exists audit_entry_status on audit_entry (serial, sequence)
  where action in ('certificate.revoked', 'certificate.held', 'certificate.released');

-- migration 20261128074300_audit_entry_status_at
-- without transaction
-- Changes of status since a revocation list was signed.
create index concurrently if not exists audit_entry_status_at on audit_entry (at, serial)
  where action in ('certificate.revoked', 'certificate.held', 'certificate.released');

-- migration 20261128074400_audit_entry_crl
-- without transaction
-- The newest revocation list of each name.
create index concurrently if not exists audit_entry_crl on audit_entry ((detail ->> 'target'), ((detail ->> 'number')::bigint))
  where action = 'crl.signed';

-- migration 20261128112100_certificates_of_partner
-- without transaction
-- A partner's own list, newest first.
create index concurrently if not exists certificate_of_partner on certificate (partner_id, issued_at, id);

-- migration 20261128112200_certificates_of_partner_by_lifetime
-- without transaction
-- A partner's list by the end of its certificates, as `certificate_by_lifetime` finds those of all.
create index concurrently if not exists certificate_of_partner_by_lifetime
  on certificate (partner_id, lifetime_days, issued_at desc, id desc);

-- migration 20261128112300_revoked_of_partner_by_lifetime
-- without transaction
-- A partner's list of what is revoked or on hold.
create index concurrently if not exists certificate_revoked_of_partner on certificate
  (partner_id, lifetime_days, issued_at desc, id desc) where revoked_at is not null or held_at is not null;

-- migration 20261128113000_shorter_serial_numbers
-- Serial numbers have 15 octets now, which every program prints in decimal; those of 20 stay, and the release before
-- goes on writing them.
alter table serial_number
  drop constraint serial_number_serial_check,
  add constraint serial_number_serial_form check (serial ~ '^[4-7]([0-9A-F]{29}|[0-9A-F]{39})$') not valid;

-- migration 20261128150000_audit_entry_crl_order
-- without transaction
-- The newest revocation list of each name, and of one number the oldest entry first.
create index concurrently if not exists audit_entry_crl_order
  on audit_entry ((detail ->> 'target'), ((detail ->> 'number')::bigint) desc, sequence)
  where action = 'crl.signed';

-- migration 20261128150100_one_index_of_lists
-- without transaction
-- `audit_entry_crl_order` finds the same, and gives the order too.
drop index concurrently if exists audit_entry_crl;

-- migration 20261128172200_bundles_move_forward
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

-- migration 20261129081100_audit_entry_issued
-- without transaction
-- Issuance by serial number: a certificate whose row was altered is asked for by it.
create index concurrently if not exists audit_entry_issued on audit_entry (serial) where action = 'certificate.issued';

-- migration 20261129095500_counters_in_step
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

-- migration 20261129161000_numbers_of_lists
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

-- migration 20261129231000_status_change_by_number
-- without transaction
-- Nothing reads the numbers but the clean-up. A unique one could be occupied by a row of the service's role, and no
-- certificate would be revoked any more.
create index concurrently if not exists status_change_by_number on status_change (issuer, number);

-- migration 20261129231500_status_change_not_unique
-- without transaction
drop index concurrently if exists status_change_number;

-- migration 20261129235000_status_entries_bounded
-- All entries about the status of a certificate are read where one is asked for, and by each list: the service's are below 2 kB.
create function status_entry_is_bounded() returns trigger language plpgsql as $$
begin
  if pg_catalog.octet_length(new.detail::text) > 4096 then
    raise exception 'an entry of % about a status is too large', tg_table_name;
  end if;
  return new;
end $$;
create trigger audit_entry_status_bounded before insert on audit_entry for each row
  when (new.action in ('certificate.revoked', 'certificate.held', 'certificate.released'))
  execute function status_entry_is_bounded();
alter table audit_entry enable always trigger audit_entry_status_bounded;

-- migration 20261130002500_crl_rows_in_bounds
-- One row decides when a list is signed: a fence at its end, a lease without one, or a time that no calendar has would stop it.
create trigger crl_fence_in_step before insert or update on crl for each row execute function keep_fence_in_step();
create function keep_crl_times() returns trigger language plpgsql as $$
declare
  present timestamptz := pg_catalog.clock_timestamp();
begin
  if not (select pg_catalog.pg_has_role(relowner, 'usage') from pg_catalog.pg_class where oid = tg_relid) and (
    new.lease_until is distinct from old.lease_until and new.lease_until > present + interval '1 hour'
    or (new.this_update, new.delta_this_update) is distinct from (old.this_update, old.delta_this_update)
      and greatest(new.this_update, new.delta_this_update) > present + interval '1 minute'
    or (new.next_update, new.renew_at, new.rest_until, new.delta_next_update, new.delta_renew_at, new.delta_until)
        is distinct from (old.next_update, old.renew_at, old.rest_until, old.delta_next_update, old.delta_renew_at, old.delta_until)
      and greatest(new.next_update, new.renew_at, new.rest_until, new.delta_next_update, new.delta_renew_at, new.delta_until)
        > present + interval '400 days'
  ) then
    raise exception 'times of % are near the present', tg_table_name;
  end if;
  return new;
end $$;
create trigger crl_times_near before insert or update on crl for each row execute function keep_crl_times();

-- migration 20261130003000_certificate_times
alter table certificate add constraint certificate_times check (not_before between '0001-01-01' and '9999-12-31'
  and not_after between '0001-01-01' and '9999-12-31' and issued_at between '0001-01-01' and '9999-12-31') not valid;

-- migration 20261130004500_fence_of_issuance_in_step
create trigger issuance_fence_in_step before update on issuance for each row
  when (new.fence not between old.fence and old.fence + 1) execute function keep_fence_in_step();

-- migration 20261130050300_bounds_of_rows
-- Bounds of everything that the service's role writes. Lists and answers read many certificates at once: their texts are short.
select bound_rows('bundle', '{"sealed": 1048576}');
select bound_rows('certificate', '{"serial": 100, "issuer": 200, "profile": 200, "key_algorithm": 200, "revocation_reason": 100,
  "subject": 16384, "mac": 1000}');
select bound_rows('certificate_word', '{"word": 4096, "name": 4096}');
select bound_rows('crl', '{"issuer": 200, "shard": 4096}');
select bound_rows('crl_base', '{"issuer": 200}');
select bound_rows('crl_piece', '{"issuer": 200, "der": 2097152}');
select bound_rows('issuance', '{"code": 200}');
select bound_rows('ocsp_answer', '{"hash_algorithm": 200, "mac": 1000}');
select bound_rows('retention', '{"advanced_days": 100000}');
select bound_rows('serial_number');
select bound_rows('spent_intents');
select bound_rows('status_change', '{"issuer": 200}');
select step_rows('issuance', 'fence', 'attempts', 'announcements');

-- migration 20261130050400_status_entries_small
-- Bounds the whole entry, of which the detail was a part: the first twenty of a hundred certificates are read at once.
create or replace function status_entry_is_bounded() returns trigger language plpgsql as $$
begin
  if pg_catalog.octet_length(new.detail::text) > 4096 or pg_catalog.octet_length(new::text) > 6144 then
    raise exception 'an entry of % about a status is too large', tg_table_name;
  end if;
  return new;
end $$;
