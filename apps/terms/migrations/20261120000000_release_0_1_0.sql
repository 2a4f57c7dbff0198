-- Tables of release 0.1.0. A database of that release has them by these migrations:
-- replaces 20261101090000_terms_versions

create function refuse_change()
 returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never changed', tg_table_name;
end $$;

create table terms_version (
  id uuid primary key,
  type text not null check (type in ('TRADITIONAL_SIGNATURE', 'TRANSACTIONAL_SIGNATURE')),
  version text not null,
  content text not null,
  active boolean not null default false,
  created_at timestamptz(3) not null,
  activated_at timestamptz(3),
  constraint terms_version_activated check ((not active) or (activated_at is not null)),
  constraint terms_version_type_version unique (type, version)
);
-- The rule that no code can break: at most one active version per type.
create unique index terms_version_one_active on terms_version (type) where active;
create index terms_version_newest on terms_version (created_at desc, id desc);
create index terms_version_newest_of_type on terms_version (type, created_at desc, id desc);
create trigger terms_version_is_kept before delete on terms_version for each row execute function refuse_change();
create trigger terms_version_text_is_final before update of type, version, content, created_at on terms_version for each row execute function refuse_change();
