-- Migrations since release 0.1.0, in the order in which they run.

-- migration 20261128152000_terms_version_mac
-- A MAC over the text and whether it is in force. The label, the type and the text of a version never change. The release
-- before writes neither column: what it creates or activates has to be activated by this one.
alter table terms_version
  add column row_version integer not null default 0,
  add column mac text not null default '';

-- A row that was in force is not put back as it was.
create function keep_terms_version() returns trigger language plpgsql as $$
begin
  if new.id <> old.id or new.row_version < old.row_version then
    raise exception 'rows of % only move forward', tg_table_name;
  end if;
  return new;
end $$;
create trigger terms_version_moves_forward before update on terms_version
  for each row execute function keep_terms_version();

-- When provisioning gave a MAC to the rows that stood without one: once. The service's role may only read it.
create table terms_seal (
  single_row boolean primary key default true check (single_row),
  sealed_at timestamptz
);
insert into terms_seal default values;

-- migration 20261129232200_versions_of_terms
-- What is put in force or out of it without a new version gets one, without a MAC: a version that was moved aside while another
-- took its place is not put back under its earlier MAC.
create or replace function keep_terms_version() returns trigger language plpgsql as $$
begin
  if (new.id <> old.id or new.row_version < old.row_version) and not (select pg_catalog.pg_has_role(relowner, 'usage') from pg_catalog.pg_class where oid = tg_relid) then
    raise exception 'rows of % only move forward', tg_table_name;
  end if;
  return new;
end $$;
create function give_new_row_version() returns trigger language plpgsql as $$
begin
  if not (select pg_catalog.pg_has_role(relowner, 'usage') from pg_catalog.pg_class where oid = tg_relid) then
    new.row_version := old.row_version + 1;
    new.mac := '';
  end if;
  return new;
end $$;
create trigger terms_version_new_version before update on terms_version for each row
  when (new.row_version = old.row_version and (new.type, new.content, new.active) is distinct from (old.type, old.content, old.active))
  execute function give_new_row_version();
alter table terms_version add constraint terms_version_times check (created_at between '0001-01-01' and '9999-12-31'
  and activated_at between '0001-01-01' and '9999-12-31') not valid;

-- migration 20261130050300_bounds_of_rows
-- Bounds of everything that the service's role writes.
select bound_rows('terms_version', '{"content": 4194304, "mac": 1000}');
select step_rows('terms_version', 'row_version');
