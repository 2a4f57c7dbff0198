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
export const countedApprovalSql = `
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
export const forwardApprovalSql = `
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
