/**
 * Trigger functions that prevent guarded rows from being restored to a former state, MAC included, for migrations of
 * services. Never edit; a change needs a new constant.
 */
export const forwardRowsSql = `
-- Ids that guarded tables have had. The running service has no right to change them. A unique index decides, and no snapshot:
-- a transaction of any isolation sees an id that another one has taken.
create table known_row (
  table_name text not null,
  row_id uuid not null,
  primary key (table_name, row_id)
);

-- The MAC covers the version, so that an older row has a lower one. The same version gets another MAC with another key.
create function keep_row_forward() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or new.id <> old.id or new.version < old.version then
    raise exception 'rows of % only move forward', tg_table_name;
  end if;
  return new;
end $$;

-- For tables whose rows the service deletes: what was deleted does not come back.
create function keep_row_known() returns trigger language plpgsql security definer set search_path from current as $$
begin
  insert into known_row (table_name, row_id) values (tg_table_name, new.id) on conflict do nothing;
  if not found then
    raise exception 'rows of % only move forward: this one was deleted', tg_table_name;
  end if;
  return null;
end $$;
revoke execute on function keep_row_known() from public;
`;

/**
 * After `forwardRowsSql`: a field under the MAC that changes alone gives the row a new version, so that its MAC of before fits
 * no more. A row that is moved aside while a change passes it over, and is put back afterwards, would be as valid as before. The
 * schema's owner may delete and restore rows. Never edit.
 */
export const versionedChangesSql = `
create or replace function keep_row_forward() returns trigger language plpgsql as $$
begin
  if (select pg_catalog.pg_has_role(relowner, 'usage') from pg_catalog.pg_class where oid = tg_relid) then
    return case tg_op when 'DELETE' then old else new end;
  end if;
  if tg_op = 'DELETE' or new.id <> old.id or new.version < old.version then
    raise exception 'rows of % only move forward', tg_table_name;
  end if;
  return new;
end $$;

-- The trigger has the condition, which names the fields; its name comes after those of triggers that refuse a change.
create function give_new_version() returns trigger language plpgsql as $$
begin
  if not (select pg_catalog.pg_has_role(relowner, 'usage') from pg_catalog.pg_class where oid = tg_relid) then
    new.version := old.version + 1;
    new.mac := '';
  end if;
  return new;
end $$;

create trigger approval_new_version before update on approval for each row
  when (new.version = old.version and (new.procedure, new.input, new.before, new.after, new.digest, new.proposed_by,
    new.proposer_email, new.reason, new.created_at, new.expires_at) is distinct from (old.procedure, old.input, old.before,
    old.after, old.digest, old.proposed_by, old.proposer_email, old.reason, old.created_at, old.expires_at))
  execute function give_new_version();
alter table approval add constraint approval_sizes check (octet_length(procedure) <= 1000 and octet_length(input::text) <= 524288
  and octet_length(before::text) <= 524288 and octet_length(after::text) <= 524288 and octet_length(digest) <= 1000
  and octet_length(proposer_email) <= 4096 and octet_length(reason) <= 65536 and octet_length(mac) <= 1000) not valid;
alter table approval add constraint approval_times
  check (created_at between '0001-01-01' and '9999-12-31' and expires_at between '0001-01-01' and '9999-12-31') not valid;
`;
