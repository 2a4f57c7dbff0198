-- The place of a renewal among those of the same certificate: 1 for the first. Null in renewals of the release before.
alter table request add column renewal_number integer;

-- Keeps what a renewal is: which certificate it renews, and that it takes its place. `supersede_due_at` ends by the entry of the
-- audit log that says so alone: a change that would end or postpone it otherwise leaves it as it was. The release before, which
-- writes no such entry, then finds it due again and is told that it is done. Names carry their schema, because the service's role
-- could shadow them by temporary tables.
create function keep_renewal() returns trigger language plpgsql as $$
begin
  if new.renewal_of is distinct from old.renewal_of or new.renewal_number is distinct from old.renewal_number
    -- Requests of the release before are taken over within the time that the schema's owner gave for it.
    or (old.supersedes and not new.supersedes
      and pg_catalog.now() >= (select ends_at from intake.data_upgrade))
  then
    raise exception 'rows of % only move forward', tg_table_name;
  end if;
  if new.supersedes and new.supersede_due_at is distinct from old.supersede_due_at and (
    new.supersede_due_at > pg_catalog.now() + interval '1 minute'
    or new.supersede_due_at is null and not exists (
      select from intake.audit where action = 'certificates.supersede'
        and (coalesce(case when target like 'request:%' then pg_catalog.substr(target, 9) end, details ->> 'requestId')) = new.id::text))
  then
    new.supersede_due_at := old.supersede_due_at;
  end if;
  -- Whoever wrote that it is issued: generation is asked before anything is revoked.
  if new.status = 'GENERATED' and new.supersede_due_at = 'infinity' then
    new.supersede_due_at := pg_catalog.now();
  end if;
  return new;
end $$;
create trigger request_keeps_renewal before update of renewal_of, renewal_number, supersedes, supersede_due_at, status
  on request for each row when (old.renewal_of is not null) execute function keep_renewal();
