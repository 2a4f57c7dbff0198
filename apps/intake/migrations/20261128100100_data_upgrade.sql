-- How long requests of the release before are taken over: for a day after this step, and not at all in a new database.
-- The service's role may only read it. `audit_sequence` is the end of the audit chain at that moment: what was decided up
-- to there is proven by the chain.
create table data_upgrade (
  single_row boolean primary key default true check (single_row),
  began_at timestamptz not null default now(),
  ends_at timestamptz not null,
  audit_sequence bigint not null
);
insert into data_upgrade (ends_at, audit_sequence)
select case when exists (select from request) then now() + interval '1 day' else now() end,
  coalesce((select max(chain_sequence) from audit), 0);
