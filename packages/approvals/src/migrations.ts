import { forwardRowsSql } from '@rubrica/database/guarded';
import type { Migration } from '@rubrica/database/migrate';

/**
 * Table of changes that wait for a second administrator, for migrations of services. Never edit; a change needs a new
 * constant.
 */
export const approvalTableSql = `
create table approval (
  id uuid primary key,
  procedure text not null,
  input jsonb not null,
  -- The record that the change is about, as it was; null for a new one.
  before jsonb,
  after jsonb not null,
  -- SHA-256 (hex) of procedure, input and before: what was proposed is what is approved.
  digest text not null unique,
  proposed_by uuid not null,
  proposer_email text not null,
  reason text,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index approval_expires_at on approval (expires_at);
`;

/**
 * Adds MACs to proposals, and a table that counts what an administrator changes alone. Runs after `approvalTableSql`.
 * Never edit.
 */
export const guardedApprovalSql = `
alter table approval add column version integer not null default 1, add column mac text not null default '';

-- What one administrator has done where one is enough only so many times an hour.
create table alone_change (
  id bigint generated always as identity primary key,
  operator_id uuid not null,
  procedure text not null,
  at timestamptz not null
);
create index alone_change_of_operator on alone_change (operator_id, procedure, at);
create index alone_change_at on alone_change (at);
`;

/**
 * Counts changes of one administrator by the database's clock, with a MAC. Runs after `guardedApprovalSql`. Never edit.
 */
const countedApprovalSql = `
alter table alone_change
  add column entry_id uuid unique,
  add column version integer not null default 1,
  add column mac text not null default '';

create function date_alone_change() returns trigger language plpgsql as $$
begin
  new.at := clock_timestamp();
  return new;
end $$;
create trigger alone_change_is_dated before insert on alone_change
  for each row execute function date_alone_change();
`;

/** Keeps decided changes from waiting again, and counts from being reduced. Runs after `forwardRowsSql`. Never edit. */
const forwardApprovalSql = `
create trigger approval_moves_forward before update on approval for each row execute function keep_row_forward();
create trigger approval_is_known after insert on approval for each row execute function keep_row_known();
insert into known_row (table_name, row_id) select 'approval', id from approval;

create function keep_alone_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' or old.at > clock_timestamp() - interval '1 hour' then
    raise exception 'rows of % are kept for an hour', tg_table_name;
  end if;
  return old;
end $$;
create trigger alone_change_is_kept before update or delete on alone_change
  for each row execute function keep_alone_change();
`;

/**
 * Gives guarded rows a new version. Runs after `forwardRowsSql`: a field under the MAC that changes alone gives the row a new version, so that its MAC of before fits
 * no more. A row that is moved aside while a change passes it over, and is put back afterwards, would be as valid as before. The
 * schema's owner may delete and restore rows. Never edit.
 */
const versionedChangesSql = `
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

/** Bounds of changes that wait for approval, or that an administrator made alone. Never edit. */
const boundedApprovalSql = `
select bound_rows('approval', '{"input": 4194304, "before": 4194304, "after": 4194304, "mac": 1000}');
select bound_rows('alone_change', '{"mac": 1000}');
select step_rows('approval', 'version');
select step_rows('alone_change', 'version');
`;

/** Migrations of changes that wait for a second administrator. Never edit one: it has been applied. */
export const approvalMigrations: readonly Migration[] = [
  { name: '20261123001000_approvals', sql: `${approvalTableSql}${guardedApprovalSql}` },
];

/**
 * Migrations that prevent a row from being restored to an earlier state. They need the tables of approvals. Never edit
 * one.
 */
export const forwardMigrations: readonly Migration[] = [
  { name: '20261128102000_known_rows', sql: forwardRowsSql },
  { name: '20261128102100_forward_approvals', sql: forwardApprovalSql },
  { name: '20261128224000_counted_approvals', sql: countedApprovalSql },
  { name: '20261129232100_versioned_changes', sql: versionedChangesSql },
  { name: '20261130050200_bounds_of_approvals', sql: boundedApprovalSql },
];
