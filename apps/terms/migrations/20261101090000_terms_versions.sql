create table terms_version (
  id uuid primary key,
  type text not null check (type in ('TRADITIONAL_SIGNATURE', 'TRANSACTIONAL_SIGNATURE')),
  version text not null,
  content text not null,
  active boolean not null default false,
  created_at timestamptz(3) not null,
  activated_at timestamptz(3),
  constraint terms_version_type_version unique (type, version),
  constraint terms_version_activated check (not active or activated_at is not null)
);

-- The rule that no code can break: at most one active version per type.
create unique index terms_version_one_active on terms_version (type) where active;

create index terms_version_newest on terms_version (created_at desc, id desc);
create index terms_version_newest_of_type on terms_version (type, created_at desc, id desc);

create table audit_entry (
  id uuid primary key,
  at timestamptz(3) not null,
  operator_id uuid not null,
  operator_email text not null,
  action text not null,
  terms_version_id uuid not null references terms_version,
  replaced_version_id uuid references terms_version,
  reason text,
  request_id text not null
);

create index audit_entry_newest on audit_entry (at desc, id desc);
create index audit_entry_terms_version on audit_entry (terms_version_id);
create index audit_entry_replaced_version on audit_entry (replaced_version_id);

-- What was decided stays as it was written. TRUNCATE is a right that the service's role does not have.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never changed', tg_table_name;
end $$;
create trigger audit_entry_append_only before update or delete on audit_entry
  for each row execute function refuse_change();
create trigger terms_version_text_is_final before update of type, version, content, created_at on terms_version
  for each row execute function refuse_change();
create trigger terms_version_is_kept before delete on terms_version
  for each row execute function refuse_change();
